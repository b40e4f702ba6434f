S However , I belive that the carrier has right not to obligate to tell anyone but has responsibility to take an action to prevent any ethical dilemma .
A 16 17|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0
A 17 17|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 20 21|||U:DET||||||REQUIRED|||-NONE-|||0

S However , once a test has been conducted and the results are known , a family-related ethical dilemma is born .
A 14 15|||U:DET||||||REQUIRED|||-NONE-|||0

S Nowadays , the study in the genetic field has gone further and further due to the high-velocity technological advancement .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Moreover , in the world we are living today , many miscarriages conducted in hospital every day .
A 14 15|||R:NOUN:NUM|||hospitals|||REQUIRED|||-NONE-|||0

S Besides that , these skills requires time to develop and adapted .
A 5 6|||R:VERB:SVA|||require|||REQUIRED|||-NONE-|||0
A 10 11|||R:VERB:FORM|||adapt|||REQUIRED|||-NONE-|||0

S From the example that I have mentioned earlier we can see that distance between us and our loved one are getting further apart .
A 12 12|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 19 20|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

S I believe that most of us agree with these terms .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Many advantages are given to the users .
A 6 7|||R:NOUN:NUM|||user|||REQUIRED|||-NONE-|||0

S These advantages also comes in handy as most of these social media sites are accessible through mobile application in our smartphones .
A 3 4|||R:VERB:SVA|||come|||REQUIRED|||-NONE-|||0
A 17 18|||R:NOUN:NUM|||applications|||REQUIRED|||-NONE-|||0

S What 's more , these days social media plays an important role in spreading the information .
A 6 6|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:SVA|||play|||REQUIRED|||-NONE-|||0
A 14 15|||U:DET||||||REQUIRED|||-NONE-|||0

