S However , I belive that the carrier has right not to obligate to tell anyone but has responsibility to take an action to prevent any ethical dilemma .
A 3 4|||R:SPELL|||believe|||REQUIRED|||-NONE-|||0
A 8 8|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 11 12|||R:VERB:TENSE|||be obligated|||REQUIRED|||-NONE-|||0
A 3 4|||R:SPELL|||believe|||REQUIRED|||-NONE-|||1
A 8 8|||M:DET|||the|||REQUIRED|||-NONE-|||1
A 11 12|||R:VERB:TENSE|||be obligated|||REQUIRED|||-NONE-|||1
A 15 15|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 17 17|||M:DET|||a|||REQUIRED|||-NONE-|||1
A 20 21|||U:DET||||||REQUIRED|||-NONE-|||1

S However , once a test has been conducted and the results are known , a family-related ethical dilemma is born .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Nowadays , the study in the genetic field has gone further and further due to the high-velocity technological advancement .
A 2 3|||U:DET||||||REQUIRED|||-NONE-|||0
A 6 7|||U:ADJ||||||REQUIRED|||-NONE-|||0
A 8 8|||M:OTHER|||of genetics|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB|||progressed|||REQUIRED|||-NONE-|||0
A 16 17|||R:OTHER|||high velocity|||REQUIRED|||-NONE-|||0
A 17 17|||M:PREP|||of|||REQUIRED|||-NONE-|||0
A 2 4|||R:OTHER|||studies|||REQUIRED|||-NONE-|||1
A 8 9|||R:VERB:TENSE|||are|||REQUIRED|||-NONE-|||1
A 9 10|||R:VERB:FORM|||going|||REQUIRED|||-NONE-|||1
A 15 16|||U:DET||||||REQUIRED|||-NONE-|||1

S Moreover , in the world we are living today , many miscarriages conducted in hospital every day .
A 12 13|||R:VERB|||occur|||REQUIRED|||-NONE-|||0
A 8 8|||M:PREP|||in|||REQUIRED|||-NONE-|||1
A 11 12|||R:OTHER|||abortions are|||REQUIRED|||-NONE-|||1

S Besides that , these skills requires time to develop and adapted .
A 5 6|||R:VERB:SVA|||require|||REQUIRED|||-NONE-|||0
A 10 11|||R:VERB:FORM|||adapt|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:SVA|||require|||REQUIRED|||-NONE-|||1
A 10 11|||R:VERB:FORM|||adapt|||REQUIRED|||-NONE-|||1

S From the example that I have mentioned earlier we can see that distance between us and our loved one are getting further apart .
A 2 3|||R:NOUN:NUM|||examples|||REQUIRED|||-NONE-|||0
A 7 8|||U:ADV||||||REQUIRED|||-NONE-|||0
A 18 19|||R:SPELL|||ones|||REQUIRED|||-NONE-|||0
A 19 20|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 21 23|||R:OTHER|||greater|||REQUIRED|||-NONE-|||0
A 8 8|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 12 13|||R:NOUN:NUM|||distances|||REQUIRED|||-NONE-|||1
A 18 19|||R:SPELL|||ones|||REQUIRED|||-NONE-|||1

S I believe that most of us agree with these terms .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Many advantages are given to the users .
A 3 4|||R:VERB|||offered|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S These advantages also comes in handy as most of these social media sites are accessible through mobile application in our smartphones .
A 3 4|||R:VERB:SVA|||come|||REQUIRED|||-NONE-|||0
A 17 18|||R:NOUN:NUM|||applications|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:SVA|||come|||REQUIRED|||-NONE-|||1
A 17 18|||R:NOUN:NUM|||applications|||REQUIRED|||-NONE-|||1
A 18 19|||R:PREP|||on|||REQUIRED|||-NONE-|||1

S What 's more , these days social media plays an important role in spreading the information .
A 6 6|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 14 15|||U:DET||||||REQUIRED|||-NONE-|||0
A 6 6|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 8 9|||R:VERB:SVA|||play|||REQUIRED|||-NONE-|||1
A 14 15|||U:DET||||||REQUIRED|||-NONE-|||1

