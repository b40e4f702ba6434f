S Keeping the Secret of Genetic Testing
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S What is genetic risk ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Genetic risk refers more to your chance of inheriting a disorder or disease .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S People get certain disease because of genetic changes .
A 3 4|||R:NOUN:NUM|||diseases|||REQUIRED|||-NONE-|||0

S The opposite is also true .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S However for some rare diseases , people who have certain gene changes are guaranteed to develop the disease .
A 1 1|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S When we are diagonosed out with certain genetic disease , are we suppose to disclose this result to our relatives ?
A 3 4|||R:SPELL|||diagnosed|||REQUIRED|||-NONE-|||0
A 12 13|||R:VERB:FORM|||supposed|||REQUIRED|||-NONE-|||0

S On one hand , we do not want this potential danger causing firghtenning affects in our families ' later lives .
A 12 13|||R:SPELL|||frightening|||REQUIRED|||-NONE-|||0
A 13 14|||R:NOUN|||effects|||REQUIRED|||-NONE-|||0

S Surrounded by such concerns , it is very likely that we are distracted to worry about these problems .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S And we keep track of all family members health conditions .
A 8 8|||M:NOUN:POSS|||'|||REQUIRED|||-NONE-|||0

S At the same time , we are prepared to know when there are other members got this disease .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Here I want to share Forest'view on this issue .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Nothing is absolute right or wrong .
A 2 3|||R:MORPH|||absolutely|||REQUIRED|||-NONE-|||0

S Above all , life is more important than secret .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S This knowledge maybe relavant to them , and vice versa .
A 2 3|||R:ORTH|||may be|||REQUIRED|||-NONE-|||0
A 3 4|||R:SPELL|||relevant|||REQUIRED|||-NONE-|||0

S Do one who suffered from this disease keep it a secret of infrom their relatives ?
A 0 1|||R:VERB:SVA|||Does|||REQUIRED|||-NONE-|||0
A 11 12|||R:SPELL|||or|||REQUIRED|||-NONE-|||0
A 12 13|||R:SPELL|||inform|||REQUIRED|||-NONE-|||0

S In retrospect , its is also ones duty to ensure that he or she undergo periodic healthchecks in their own .
A 3 4|||R:SPELL|||it|||REQUIRED|||-NONE-|||0
A 6 7|||R:OTHER|||one 's|||REQUIRED|||-NONE-|||0

S Sometimes some family structure and cultural beliefs can influence the pattern of communication .
A 3 4|||R:NOUN:NUM|||structures|||REQUIRED|||-NONE-|||0

S People with close blood relationship generally carry some similar genes .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Focus on the negative side of the annouance of genetic risk first .
A 7 8|||R:SPELL|||announcement|||REQUIRED|||-NONE-|||0

