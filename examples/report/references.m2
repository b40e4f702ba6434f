S Keeping the Secret of Genetic Testing
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S What is genetic risk ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Genetic risk refers more to your chance of inheriting a disorder or disease .
A 3 4|||U:ADJ||||||REQUIRED|||-NONE-|||0
A 3 4|||U:ADJ||||||REQUIRED|||-NONE-|||1

S People get certain disease because of genetic changes .
A 3 4|||R:NOUN:NUM|||diseases|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||diseases|||REQUIRED|||-NONE-|||1

S The opposite is also true .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S However for some rare diseases , people who have certain gene changes are guaranteed to develop the disease .
A 1 1|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 1 1|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1

S When we are diagonosed out with certain genetic disease , are we suppose to disclose this result to our relatives ?
A 3 4|||R:SPELL|||diagnosed|||REQUIRED|||-NONE-|||0
A 4 5|||U:PART||||||REQUIRED|||-NONE-|||0
A 8 9|||R:NOUN:NUM|||diseases|||REQUIRED|||-NONE-|||0
A 3 4|||R:SPELL|||diagnosed|||REQUIRED|||-NONE-|||1
A 4 5|||U:PART||||||REQUIRED|||-NONE-|||1
A 6 6|||M:DET|||a|||REQUIRED|||-NONE-|||1
A 12 13|||R:VERB:FORM|||supposed|||REQUIRED|||-NONE-|||1

S On one hand , we do not want this potential danger causing firghtenning affects in our families ' later lives .
A 11 12|||R:VERB|||having|||REQUIRED|||-NONE-|||0
A 12 13|||R:SPELL|||frightening|||REQUIRED|||-NONE-|||0
A 13 14|||R:NOUN|||effects|||REQUIRED|||-NONE-|||0
A 1 1|||M:DET|||the|||REQUIRED|||-NONE-|||1
A 11 13|||R:VERB|||to have frightening|||REQUIRED|||-NONE-|||1
A 13 14|||R:NOUN|||effects|||REQUIRED|||-NONE-|||1
A 14 15|||R:PREP|||on|||REQUIRED|||-NONE-|||1

S Surrounded by such concerns , it is very likely that we are distracted to worry about these problems .
A 13 14|||R:OTHER|||and|||REQUIRED|||-NONE-|||0
A 11 12|||R:VERB:TENSE|||will be|||REQUIRED|||-NONE-|||1
A 12 12|||M:ADV|||too|||REQUIRED|||-NONE-|||1

S And we keep track of all family members health conditions .
A 0 1|||R:OTHER|||so|||REQUIRED|||-NONE-|||0
A 2 2|||M:VERB:TENSE|||can|||REQUIRED|||-NONE-|||1
A 8 8|||M:NOUN:POSS|||'|||REQUIRED|||-NONE-|||1
A 9 10|||U:NOUN||||||REQUIRED|||-NONE-|||1

S At the same time , we are prepared to know when there are other members got this disease .
A 15 15|||M:OTHER|||who have|||REQUIRED|||-NONE-|||0
A 15 15|||M:OTHER|||who have|||REQUIRED|||-NONE-|||1

S Here I want to share Forest'view on this issue .
A 5 6|||R:NOUN|||Forests'sview|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||Forest 's|||REQUIRED|||-NONE-|||1
A 6 6|||M:NOUN|||view|||REQUIRED|||-NONE-|||1

S Nothing is absolute right or wrong .
A 2 3|||R:MORPH|||absolutely|||REQUIRED|||-NONE-|||0
A 2 3|||R:MORPH|||absolutely|||REQUIRED|||-NONE-|||1

S Above all , life is more important than secret .
A 8 9|||R:NOUN:NUM|||secrets|||REQUIRED|||-NONE-|||0
A 8 9|||R:OTHER|||secrecy|||REQUIRED|||-NONE-|||1

S This knowledge maybe relavant to them , and vice versa .
A 2 3|||R:ORTH|||may be|||REQUIRED|||-NONE-|||0
A 3 4|||R:SPELL|||relevant|||REQUIRED|||-NONE-|||0
A 6 10|||R:OTHER|||or not|||REQUIRED|||-NONE-|||0
A 2 3|||R:ORTH|||may be|||REQUIRED|||-NONE-|||1
A 3 4|||R:SPELL|||relevant|||REQUIRED|||-NONE-|||1

S Do one who suffered from this disease keep it a secret of infrom their relatives ?
A 0 1|||R:VERB:SVA|||Does|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:TENSE|||suffers|||REQUIRED|||-NONE-|||0
A 11 12|||R:SPELL|||or|||REQUIRED|||-NONE-|||0
A 12 13|||R:SPELL|||inform|||REQUIRED|||-NONE-|||0
A 0 1|||R:VERB:SVA|||Does|||REQUIRED|||-NONE-|||1
A 1 2|||R:OTHER|||someone|||REQUIRED|||-NONE-|||1
A 3 4|||R:VERB:TENSE|||suffers|||REQUIRED|||-NONE-|||1
A 11 12|||R:SPELL|||or|||REQUIRED|||-NONE-|||1
A 12 13|||R:SPELL|||inform|||REQUIRED|||-NONE-|||1

S In retrospect , its is also ones duty to ensure that he or she undergo periodic healthchecks in their own .
A 6 7|||R:OTHER|||one 's|||REQUIRED|||-NONE-|||0
A 17 18|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 3 4|||R:SPELL|||it|||REQUIRED|||-NONE-|||1
A 6 7|||R:OTHER|||one 's|||REQUIRED|||-NONE-|||1
A 11 12|||R:PRON|||they|||REQUIRED|||-NONE-|||1
A 12 13|||U:CONJ||||||REQUIRED|||-NONE-|||1
A 13 14|||U:PRON||||||REQUIRED|||-NONE-|||1
A 16 17|||R:ORTH|||health checks|||REQUIRED|||-NONE-|||1
A 17 18|||R:PREP|||of|||REQUIRED|||-NONE-|||1

S Sometimes some family structure and cultural beliefs can influence the pattern of communication .
A 3 4|||R:NOUN:NUM|||structures|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||structures|||REQUIRED|||-NONE-|||1

S People with close blood relationship generally carry some similar genes .
A 4 5|||R:NOUN:NUM|||relationships|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||1

S Focus on the negative side of the annouance of genetic risk first .
A 0 1|||R:OTHER|||I begin by focusing|||REQUIRED|||-NONE-|||0
A 5 8|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 0 1|||M:OTHER|||I will focus|||REQUIRED|||-NONE-|||1
A 7 8|||R:NOUN|||disclosure|||REQUIRED|||-NONE-|||1

