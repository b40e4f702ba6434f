S Keeping the Secret of Genetic Testing
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S What is genetic risk ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Genetic risk refers more to your chance of inheriting a disorder or disease .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S People get certain disease because of genetic changes .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S The opposite is also true .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S However for some rare diseases , people who have certain gene changes are guaranteed to develop the disease .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S When we are diagonosed out with certain genetic disease , are we suppose to disclose this result to our relatives ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S On one hand , we do not want this potential danger causing firghtenning affects in our families ' later lives .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Surrounded by such concerns , it is very likely that we are distracted to worry about these problems .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S And we keep track of all family members health conditions .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S At the same time , we are prepared to know when there are other members got this disease .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Here I want to share Forest'view on this issue .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Nothing is absolute right or wrong .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Above all , life is more important than secret .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S This knowledge maybe relavant to them , and vice versa .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Do one who suffered from this disease keep it a secret of infrom their relatives ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S In retrospect , its is also ones duty to ensure that he or she undergo periodic healthchecks in their own .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Sometimes some family structure and cultural beliefs can influence the pattern of communication .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S People with close blood relationship generally carry some similar genes .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Focus on the negative side of the annouance of genetic risk first .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

