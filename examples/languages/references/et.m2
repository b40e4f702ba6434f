S Inimesed lähtusid seisukohast , mõisa köis las lohiseb .
A 3 4|||R:PUNCT|||:|||REQUIRED|||-NONE-|||0
A 4 4|||M:PUNCT|||"|||REQUIRED|||-NONE-|||0
A 6 6|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 8 8|||M:PUNCT|||"|||REQUIRED|||-NONE-|||0

S Juhan Viiding on kirjutanud luuletuses „ Ma vaatan kõigi nende inimeste ja asjade peale . . . “ „ Ma olen Eestis esimest korda , olen siin 1948. aastast .
A 17 18|||M:PUNCT|||:|||REQUIRED|||-NONE-|||0
A 29 30|||M:PUNCT|||"|||REQUIRED|||-NONE-|||0

S Kuid kas on kellelgi õigus müüa maad - müüa Eestimaad .
A 10 11|||R:PUNCT|||?|||REQUIRED|||-NONE-|||0

S Täiesti vale otsus oleks , aga maad mitte kellelegi müüa ega tagastada , sest siis oleksime ilma maata , nagu kõik need ikkes oldud aastad , kuni 19. sajandini välja .
A 4 5|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Loomulikult tuleb vähesel määral tööstusmaad müüa välisinvesteerijatele , sest vastasel korral pole nad nõus Eestisse ettevõteid rajama .
A 15 16|||R:SPELL|||ettevõtteis|||REQUIRED|||-NONE-|||0

S Refereerides A. H. Tammsaart : „ Kuningas on oma orjade ori , mida rohkem orje , seda suurem ori ta on ! “
A 1 2|||R:SPELL|||Tammsaaret|||REQUIRED|||-NONE-|||0

S Igal hommikul ärgates avan silmad ja ma võin öelda , milline imeline maa .
A 9 10|||R:PUNCT|||:|||REQUIRED|||-NONE-|||0
A 10 10|||M:PUNCT|||"|||REQUIRED|||-NONE-|||0
A 10 11|||R:CASE|||Milline|||REQUIRED|||-NONE-|||0
A 13 14|||R:PUNCT|||!|||REQUIRED|||-NONE-|||0
A 14 14|||M:PUNCT|||"|||REQUIRED|||-NONE-|||0

S Eestlasi jääks siis samapalju kui liivlasi Liivimaata .
A 2 2|||M:LEX|||alles|||REQUIRED|||-NONE-|||0
A 3 4|||R:WS|||sama palju|||REQUIRED|||-NONE-|||0

S Eestlased võitlesid õiguse valida ise oma tulevik .
A 2 2|||M:LEX|||välja|||REQUIRED|||-NONE-|||0

S Ma ei pea õigeks kui maad müüakse massiliselt ühele inimesele .
A 4 4|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S Jah , seda sama maad , mida on sajandeid kaitstud , makstes selle eest kõrget verehinda .
A 2 4|||R:WS|||sedasama|||REQUIRED|||-NONE-|||0

S Enesekindlus annab meile julgust proovida asju , millest varem vaid unistada võisid .
A 11 12|||R:VERB:FORM|||võis|||REQUIRED|||-NONE-|||0

S Kätte saamatuks jääb ka eneseteostus .
A 0 2|||R:WS|||Kättesaamatuks|||REQUIRED|||-NONE-|||0

S Eneseusk on üldse väga tähtsal kohal meie igapäeva elus .
A 7 9|||R:WS|||igapäevaelus|||REQUIRED|||-NONE-|||0

S Ei minda paanikasse , kui öeldakse midagi valesti või keegi sinu kohta mõnitava alatooniga naljakillu viskab .
A 10 11|||R:LEX|||inimese|||REQUIRED|||-NONE-|||0

S Vanemaks saades jääb alaväärsuskompleks püsima ning eneseusk ei pruugi enam taastuda ja tagajärjeks ongi eraklik eluviis , mistõttu eneseteostuse saavutamine on praktiliselt võimatu .
A 21 22|||R:LEX|||sisuliselt|||REQUIRED|||-NONE-|||0

S Kuidas sa lähed rahvamassi ette , kui tegelikult arvad , et ei saa hakkama ?
A 1 2|||R:LEX|||ta|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:FORM|||läheb|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:FORM|||arvab|||REQUIRED|||-NONE-|||0

S Inimene on optimist , vastupidiselt isikule , kellel eneseusk puudub .
A 0 1|||R:LEX|||Selline inimene|||REQUIRED|||-NONE-|||0

S Seega on neil eneseteostuse võimalus kahanenud peaaegu et nullini .
A 7 8|||U:LEX||||||REQUIRED|||-NONE-|||0

S Ta teab , mida tahab , ambitsioonid olemas .
A 7 7|||M:LEX|||on tal|||REQUIRED|||-NONE-|||0

S 20. sajandi lõpul toimuvat vaadates , tekib tihti tunne , et parem tulevik on ainult suur unistus .
A 5 6|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Kiiresti tuleb leida alternatiive , et säilitada nappivaid loodusvarasid ja aidata loodusel vastupidada inimeste suhteliselt kurnavatele eluviisidele , mis väljenduvad keskkonna saastatuses .
A 12 13|||R:WS|||vastu pidada|||REQUIRED|||-NONE-|||0
A 19 20|||R:LEX|||põhjustavad|||REQUIRED|||-NONE-|||0
A 21 22|||R:NOM:FORM|||saastatust|||REQUIRED|||-NONE-|||0

S See on nagu üks suur ahel , millega on seotud kõik valdkonnad ning see mõjutab väga palju meie tulevikku .
A 12 12|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 13 14|||R:LEX|||mis|||REQUIRED|||-NONE-|||0

S Teise suure probleemina , selle sajandi lõpul , näen ma keskkonna seisundit .
A 3 4|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 7 8|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Vahest tuleb osata ka loobuda hetkelisest kasust , et tuleviku võimalusi mitte hävitada .
A 0 1|||R:LEX|||Vast|||REQUIRED|||-NONE-|||0
A 9 11|||R:WS|||tulevikuvõimalusi|||REQUIRED|||-NONE-|||0

S Näiteks võib tuua juhtumeid , kus liitlasvägede rünnakutes on hukkunud ka üksikuid tsiviilisikuid ja mida meedias serveeritakse kui massimõrva .
A 13 13|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 13 14|||R:LEX|||aga|||REQUIRED|||-NONE-|||0

S Ma usun , et enamus inimesi ei tea loodusvarade lõppemisohust , mille tagavarad mõnede ressursside puhul on ainult kuni 5 aastat .
A 4 5|||R:LEX|||enamik|||REQUIRED|||-NONE-|||0
A 8 10|||R:WO:NOM: FORM|||ohust, et lõpevad loodusvarad|||REQUIRED|||-NONE-|||0
A 13 14|||R:NOM:FORM|||mõne|||REQUIRED|||-NONE-|||0
A 14 15|||R:NOM:FORM|||ressursi|||REQUIRED|||-NONE-|||0

S Praktiliselt esimese variandina , kui tekkis sisekriis , haarati relvad , et olukorda lahendada .
A 0 1|||R:LEX|||Sama hästi kui|||REQUIRED|||-NONE-|||0

S Samas hukkub kohalike vaenupoolte kokkupõrgetes , rääkimata tahtlikest rünnakutest rahumeelsetele elanikele , kümneid kordi rohkem sõjaeest varjuotsivaid inimesi .
A 15 16|||R:WS|||sõja eest|||REQUIRED|||-NONE-|||0
A 16 17|||R:WS|||varju otsivaid|||REQUIRED|||-NONE-|||0

S Kas inimesed ikka annavad endast piisavalt , tagamaks puhtamat , sallivamat ja inimsõbralikumat tulevikku ?
A 5 6|||R:LEX|||küllalt|||REQUIRED|||-NONE-|||0
A 7 7|||M:LEX|||et|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB:FORM|||tagada|||REQUIRED|||-NONE-|||0

S Viimase paari kuu oluliseim sündmus on sõda Jugoslaavias , mis minu arvates on algusest peale suur viga ja mõtlematus olnud .
A 3 4|||R:SPELL|||olulisim|||REQUIRED|||-NONE-|||0

S Loota , et paremasse homsesse meid keegi viiks , on mõtetu , igaüks ise peab sellele kaasaaitama ning oma panuse andma .
A 10 11|||R:SPELL|||mõttetu|||REQUIRED|||-NONE-|||0
A 15 16|||U:LEX||||||REQUIRED|||-NONE-|||0
A 16 17|||R:WS|||kaasa aitama|||REQUIRED|||-NONE-|||0

S Ereda näitena võib tuua hiljutise seksiskandaali Ühendriikide presidendi , Phil Clintoniga , kus inimese eraelust tehti ülemaailmne probleem .
A 8 9|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 9 10|||R:LEX|||Bill|||REQUIRED|||-NONE-|||0
A 12 13|||R:LEX|||milles|||REQUIRED|||-NONE-|||0

S Säästlik areng , inimeste heaolu vähendamata ja majanduslikku olukorda halvendamata , on võti tulevikku .
A 2 3|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 10 11|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Vaatamata segasest olukorrast kogu maailmas , lähen ma 21. sajandile vastu optimistina ja püüan anda oma panuse , et homne ikka parem tuleks .
A 1 2|||R:NOM:FORM|||segasele|||REQUIRED|||-NONE-|||0
A 2 3|||R:NOM:FORM|||olukorrale|||REQUIRED|||-NONE-|||0

S Samas tehakse „ sääsest elevant “ ka seal , kus probleemi üldse ei ole .
A 2 3|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 5 6|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Inimesed on kadedad ja õelad , püüdes „ kaikaid kodaratesse “ loopida neile , kellel paremini läheb .
A 7 8|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 10 11|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Nad elasid oma teisejärgulistes hüttides , harisid maad ja pidasid oma traditsioonilisi rituaale , samalajal kui mujal maailmas elati kivistehitistes , käidi tööl , peeti orje ja käidi seltskondlikel õhtutel .
A 2 3|||U:LEX||||||REQUIRED|||-NONE-|||0
A 14 15|||R:WS|||samal ajal|||REQUIRED|||-NONE-|||0
A 19 20|||R:WS|||kivist ehitistes|||REQUIRED|||-NONE-|||0

S Näiteks osoonikihi hõrenemine toob planeedile Maa päikeselt kiiri , mis on kõige elavale ja hingavale eluohtlik .
A 11 12|||R:NOM:FORM|||kõigele|||REQUIRED|||-NONE-|||0

S Enne seda , kui valgeinimene üle ookeani purjetas ja ameerikasse õnne läks otsima , elasid seal rahulikult mitmed indiaani suguharud .
A 4 5|||R:WS|||valge inimene|||REQUIRED|||-NONE-|||0
A 9 10|||R:CASE|||Ameerikasse|||REQUIRED|||-NONE-|||0

S Me näeme , et järk-järgult arenevad inimese vaimusünnitused läbi ajaloo edukamaks ja oleme jõudnud sinna , kus inimese mõistus ja tegude tagajärg on tekitanud paraja ummiku , ajaloole keeranud sõlme peale .
A 4 8|||R:WO|||inimese vaimusünnitused arenevad järk-järgult|||REQUIRED|||-NONE-|||0
A 10 10|||M:LEX|||aina|||REQUIRED|||-NONE-|||0
A 27 29|||R:WO|||keeranud ajaloole|||REQUIRED|||-NONE-|||0

S Muidugi parandamine võib osalt tulla kõnealla siis , kui me kõik ühistejõududega seda prooviksime .
A 1 3|||R:WO|||võib parandamine|||REQUIRED|||-NONE-|||0
A 5 6|||R:WS|||kõne alla|||REQUIRED|||-NONE-|||0
A 11 12|||R:WS|||ühiste jõududega|||REQUIRED|||-NONE-|||0

S Ei , me peame tegema kõik selleks , et kõigil koguaeg halb oleks , ja ihkama seda , mis meile ei kuulu .
A 10 11|||R:WS|||kogu aeg|||REQUIRED|||-NONE-|||0

S Arvan , et ajaloole oleme ise sõlme peale keeranud ja nüüd , ei oska me seda lahti pusida .
A 11 12|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Selles ei saa kahelda , et inimene , oma jõuetu loomusega , on kõik sõjad ja maailmapahed valmis meisterdanud .
A 7 8|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 11 12|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S See on lõpumärk ja kaugel me sellest ei ole , sest keskkond on saastatud ja inimesed jätavad igal sammul endast maha jälje , mis hiljem muutub aeglaselt tapvaks .
A 2 3|||R:WS|||lõpu märk|||REQUIRED|||-NONE-|||0
A 24 28|||R:WO|||hiljem aeglaselt tapvaks muutub|||REQUIRED|||-NONE-|||0

S Piibli ilmutused räägivad , et üha rohkem sõdu hakkab toimuma , rahvad kannatavad häda ja viletsuse all , vesi muutub joomiskõlbmatuks , kuu kaob ja päike muutub põlevaks tulekeraks , mis ajapikku kaotab oma energia jättes maailma valguseta .
A 35 35|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S Enne me ei teadnud seda , mis võib kõik tulevikus juhtuda , kuid nüüd mõtleb maailm pingsalt mida teha , sest kõik on ummikusse jooksnud .
A 7 9|||R:WO|||kõik võib|||REQUIRED|||-NONE-|||0
A 17 17|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S Ja kui leitaksegi lahendus , siis , on juba hilja .
A 6 7|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Inimene on kui uss , kellel meeldib teise silmis pindu näha , olles silmakirjalik ja alatu .
A 12 12|||M:LEX|||kes|||REQUIRED|||-NONE-|||0
A 12 13|||R:VERB:FORM|||on|||REQUIRED|||-NONE-|||0

S See jääbki nii , et kuskil maailmas üks sõda peab olema .
A 5 10|||R:WO|||üks sõda peab kuskil maailmas|||REQUIRED|||-NONE-|||0

S See lõpp on meil juba peaaegu käes ja käega katsutav .
A 8 8|||M:LEX|||on|||REQUIRED|||-NONE-|||0

S Selle tagajärjel sulavad meie kaunid jäämäed seal Ant-arktikas ja ennustatakse veetaseme tõusu , järjekordsest veeuputusest , mis juhtus Noa ajal .
A 6 7|||U:LEX||||||REQUIRED|||-NONE-|||0
A 7 8|||R:SPELL|||Antarktikas|||REQUIRED|||-NONE-|||0
A 13 14|||R:NOM:FORM|||järjekordset|||REQUIRED|||-NONE-|||0
A 14 15|||R:NOM:FORM|||veeuputust|||REQUIRED|||-NONE-|||0
A 16 17|||R:LEX|||nagu|||REQUIRED|||-NONE-|||0

S Sellepärast poliitikud panidki kokku Ühinenud Rahvaste Organisatsiooni , mis aitaks lähendada rahvaid üksteisele .
A 2 4|||R:LEX|||lõidki|||REQUIRED|||-NONE-|||0

S Kuid kuhu on ta sellega jõudnud , järjekordne läbikukkumine , ummik millest ei osata väljapääsu leida .
A 6 7|||R:PUNCT|||:|||REQUIRED|||-NONE-|||0
A 11 11|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S Sellepärast , et tulevastel põlvedel oleks kõik mugavused olemas ja nad ei peaks puuduste all kannatama .
A 13 14|||R:NOM:FORM|||puuduse|||REQUIRED|||-NONE-|||0

S Siis lõpetas Jumal rahva elud ja veeuputusega pühkis puhtaks kõik maa peal oleva kurja .
A 6 8|||R:WO|||pühkis veeuputusega|||REQUIRED|||-NONE-|||0

S Nii palju kui see organisatsioon ka ei püüaks , rahu maa peal ei leidu .
A 0 3|||R:LEX|||Kui palju|||REQUIRED|||-NONE-|||0
A 13 14|||R:LEX|||tule|||REQUIRED|||-NONE-|||0

S See ongi peamine põhjus , kuid siiski ei saa mainimata jätta seda , et inimene on tahtnud koguaeg ennast arendada ja tõestada kõigile oma võimeid .
A 17 18|||R:WS|||kogu aeg|||REQUIRED|||-NONE-|||0

S Kuid siis , tahtis valgeinimene äkitselt vaheldust ja ihates teise vara , ta lihtsalt võttis selle sõjaga , valas oma ligimese süütut verd .
A 2 3|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 4 5|||R:WS|||valge inimene|||REQUIRED|||-NONE-|||0

