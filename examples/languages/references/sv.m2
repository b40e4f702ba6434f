S Mobiler ringer , Facebook kallar , vi åker till jobben eller mataffären i traffik och vi har liten vid att tänker och att se ut på fonsret .
A 9 10|||R:NOUN:GENDER|||jobbet|||REQUIRED|||-NONE-|||0
A 13 14|||R:SPELL|||trafik|||REQUIRED|||-NONE-|||0
A 17 18|||R:ADJ|||lite|||REQUIRED|||-NONE-|||0
A 18 19|||R:SPELL|||tid|||REQUIRED|||-NONE-|||0
A 20 21|||R:VERB:FORM|||tänka|||REQUIRED|||-NONE-|||0
A 25 26|||R:ADP|||genom|||REQUIRED|||-NONE-|||0
A 26 27|||R:SPELL|||fönstret|||REQUIRED|||-NONE-|||0

S 10 månader däref$nt vi bestämde oss för att sluta se varandra .
A 2 3|||R:SPELL|||därefter|||REQUIRED|||-NONE-|||0
A 3 5|||R:WO|||bestämde vi|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB|||träffa|||REQUIRED|||-NONE-|||0

S Slutligen vill jag påpekar att unga är läraktiga .
A 3 4|||R:VERB:FORM|||påpeka|||REQUIRED|||-NONE-|||0

S Självklart att det är viktigt .
A 1 2|||U:SCONJ||||||REQUIRED|||-NONE-|||0
A 2 4|||R:WO|||är det|||REQUIRED|||-NONE-|||0

S Ekobrott .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ha det bra !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Krama till träd .
A 1 2|||U:ADP||||||REQUIRED|||-NONE-|||0

S Det ska bli jättroligt då .
A 3 4|||R:SPELL|||jätteroligt|||REQUIRED|||-NONE-|||0

S Kramar !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Hej !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Nya vanner kommer !
A 1 2|||R:SPELL|||vänner|||REQUIRED|||-NONE-|||0

S Jag saknar dem .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Hej !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Eller nästan alla .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Vi var inte ensam .
A 3 4|||R:ADJ:NUM|||ensamma|||REQUIRED|||-NONE-|||0

S kollar på tinder !
A 0 1|||R:VERB:MOOD|||Kolla|||REQUIRED|||-NONE-|||0
A 2 3|||R:ORTH:CASE|||Tinder|||REQUIRED|||-NONE-|||0

S Jag cyklar till skolan .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Här mår jag bra .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Med stor respekt !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S De är 6 och 4 år gammla .
A 6 7|||R:SPELL|||gamla|||REQUIRED|||-NONE-|||0

S Vi behöver ingen bil .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S hur mår du ?
A 0 1|||R:ORTH:CASE|||Hur|||REQUIRED|||-NONE-|||0

S Kram , Karin .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Vem har rätt ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Och jag håller med om det .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Där baker vi till sammans .
A 1 2|||R:SPELL|||bakar|||REQUIRED|||-NONE-|||0
A 3 5|||R:ORTH:SPACE|||tillsammans|||REQUIRED|||-NONE-|||0

S använd Buss !
A 0 2|||R:ORTH:CASE|||Använd buss|||REQUIRED|||-NONE-|||0

S Det är inte okej alls .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Mitt favoritt plats ?
A 0 3|||R:ORTH:SPACE|||Min favoritplats|||REQUIRED|||-NONE-|||0

S Så vilket är problemet ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Bröllopet har förstot .
A 1 2|||R:AUX|||blir|||REQUIRED|||-NONE-|||0
A 2 3|||R:SPELL|||förstört|||REQUIRED|||-NONE-|||0

S Hej min vän .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Livet var svårt för henne .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S ¨ Då blir jag lycklig … .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Det var länge sedan .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Jag mår bra .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Vakna upp , millenial !
A 3 4|||R:SPELL|||millennial|||REQUIRED|||-NONE-|||0

S Hur är det med dig ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Det är hans bästa vänner .
A 0 1|||R:PRON|||De|||REQUIRED|||-NONE-|||0

S Hur är det med dig ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Hur är det ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Men är det sannolikt ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ingen varför !
A 0 1|||R:DET:NUM|||Inga|||REQUIRED|||-NONE-|||0

S Det beror på situationen .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Jag älskar honom .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Det är en bra backe .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Roligt och tänkar tagande .
A 0 1|||R:ADJ:GENDER|||Rolig|||REQUIRED|||-NONE-|||0
A 2 4|||R:OTHER|||tankeväckande|||REQUIRED|||-NONE-|||0

S Hur mår du ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Gleerups , Malmö .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Mvh .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Dem vänner har också sama problem här .
A 0 1|||R:DET:DEF|||De|||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN:DEF|||vännerna|||REQUIRED|||-NONE-|||0
A 4 5|||R:SPELL|||samma|||REQUIRED|||-NONE-|||0

S Självklart att det är viktigt .
A 1 2|||U:SCONJ||||||REQUIRED|||-NONE-|||0
A 2 4|||R:WO|||är det|||REQUIRED|||-NONE-|||0

S Det är den bästa sak vad man kan uppleva .
A 5 6|||R:PRON|||som|||REQUIRED|||-NONE-|||0

S Det är svårt ibland men kommer inte engång .
A 5 5|||M:PRON|||det|||REQUIRED|||-NONE-|||0
A 7 7|||M:ADP|||på|||REQUIRED|||-NONE-|||0
A 7 8|||R:ORTH:SPACE|||en gång|||REQUIRED|||-NONE-|||0

S Jag bor i Sund och jag studera på sfi skola .
A 6 7|||R:VERB:FORM|||studerar|||REQUIRED|||-NONE-|||0
A 8 10|||R:ORTH:SPACE|||sfi-skola|||REQUIRED|||-NONE-|||0

S Då skulle jag behöva köpa jobbkläder separat .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Och det finns alltid glädje där .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Jag brukar gå dit varje tisdag och onsdag .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Jag studerar svenska på SFI i Haga .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Tillsist reste hon till Sverige .
A 0 1|||R:ORTH:SPACE|||Till sist|||REQUIRED|||-NONE-|||0

