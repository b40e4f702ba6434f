S Ráda jsem to dělala , protože jsem se seznámila s zajímavými lidmi , a dostala jsem vstupenku zdarma .
A 0 1|||R:OTHER|||Dělala|||REQUIRED|||-NONE-|||0
A 9 10|||R:MORPH|||se|||REQUIRED|||-NONE-|||0
A 12 13|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S O dva měsíce později jsem našla jednu hospodu vedle univerzity , která se otevřila před týdnem .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Když někdo říká , že dávat je lepší , než něco dostat , on lže .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Že sen o svobodnějším životě se vyrvatí ve stínu daleko vážnějších negativních stránek společnosti , ve které se měl člověk těšit jisté míře svobodu .
A 22 23|||R:NOUN:INFL|||míry|||REQUIRED|||-NONE-|||0

S Toto unikátní hlavní město láká ročně tisíce turistů z celého světa .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Každý člen rodin má svůj čas a něco dělat .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Je dobry udelat výzkum , naučit jazyk , a mluvit s lidmi ktery tam žijou .
A 1 2|||R:MORPH|||dobré|||REQUIRED|||-NONE-|||0
A 2 3|||R:DIACR|||udělat|||REQUIRED|||-NONE-|||0
A 7 8|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 12 13|||R:SPELL|||kteří|||REQUIRED|||-NONE-|||0
A 14 15|||R:VERB|||žijí|||REQUIRED|||-NONE-|||0

S Ona je moc sdraví .
A 2 4|||R:OTHER|||zdravá|||REQUIRED|||-NONE-|||0

S 1 : Smrkat hlen do třidy , nebo restauraci
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S 5 : Skočit někdo kdy mluví .
A 1 2|||R:PUNCT|||.|||REQUIRED|||-NONE-|||0
A 3 4|||R:PRON:INFL|||někomu|||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||řeči|||REQUIRED|||-NONE-|||0

S Nejpozděj Za týden úplně bude dobře .
A 3 3|||M:PRON|||mi|||REQUIRED|||-NONE-|||0

S Když jsem řídil autobus a zastavil ho před chodcěni cestem zebrawalk pederrial walk a čekal až semafor byl zelený , starý pan zakopnul a upadnul .
A 12 13|||R:NOUN|||chodce|||REQUIRED|||-NONE-|||0
A 16 16|||M:ADP|||na|||REQUIRED|||-NONE-|||0
A 16 17|||R:NOUN:INFL|||semaforu|||REQUIRED|||-NONE-|||0
A 24 25|||R:VERB|||upadl|||REQUIRED|||-NONE-|||0

S Měla jsem čtyři týdny čas , abych se text naučila .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Během té doby jsem často chodila s jinými průvodci na jejich prohlídku , abych si ulehčila učení nazpaměť a v hlavě si spojila text se sály a pokoji v zámku .
A 6 7|||R:ADP|||k|||REQUIRED|||-NONE-|||0
A 7 8|||R:ADJ:INFL|||jiným|||REQUIRED|||-NONE-|||0
A 8 9|||R:NOUN:INFL|||průvodcům|||REQUIRED|||-NONE-|||0

S Ale jsme neměl nápad , jak jsme mohli začat rozovor s ní .
A 1 2|||U:AUX||||||REQUIRED|||-NONE-|||0
A 3 3|||M:AUX|||jsem|||REQUIRED|||-NONE-|||0

S Měla jsem divný pohled kolem sebe .
A 0 1|||R:VERB|||Viděla|||REQUIRED|||-NONE-|||0
A 6 6|||M:ADV|||divně|||REQUIRED|||-NONE-|||0

S Veřím v pátek třináctého , když jsem měla takovou situaci .
A 0 1|||R:DIACR|||Věřím|||REQUIRED|||-NONE-|||0

S Takže , chci s kamarády jet do Alexandrie , uděláme dobrý program
A 1 2|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 10 10|||M:OTHER|||si tam|||REQUIRED|||-NONE-|||0

S On je hnedý a velký a nemá rád vodu , tak on se nerád myje , ale musí .
A 10 11|||R:OTHER|||a|||REQUIRED|||-NONE-|||0
A 13 14|||R:DIACR|||nerad|||REQUIRED|||-NONE-|||0

S Mám hodně přibuzních a nemůžu o nich psát všechny Mám ráda fotbal a basketbal .
A 2 3|||R:SPELL|||příbuzných|||REQUIRED|||-NONE-|||0

S Ale stejně lidi mají radi všichný a přípravuji k každemu conejlíp .
A 4 5|||R:DIACR|||rádi|||REQUIRED|||-NONE-|||0
A 5 6|||R:SPELL|||všechny|||REQUIRED|||-NONE-|||0
A 7 8|||R:DIACR|||připravují|||REQUIRED|||-NONE-|||0

S Velký půst je jedným z čtyř kalendářných postů , stanovených pravoslavnou církví .
A 6 7|||R:SPELL|||kalendářních|||REQUIRED|||-NONE-|||0
A 8 9|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Kromě vejcí se připravuji pasky – svateční chleb , který je podobný českým mazancům .
A 7 8|||R:DIACR|||chléb|||REQUIRED|||-NONE-|||0

S Někoho mu zavolat .
A 1 2|||R:PRON:INFL|||ho|||REQUIRED|||-NONE-|||0

S Jmenuju se Adam .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Když mi bylo sedm , začal jsem studovát na zakládní školě , pozdejí skončil jsem bakalařskú hodnost na pravnické fakultě .
A 7 8|||R:DIACR|||studovat|||REQUIRED|||-NONE-|||0
A 12 13|||R:DIACR|||později|||REQUIRED|||-NONE-|||0
A 13 14|||U:VERB||||||REQUIRED|||-NONE-|||0
A 15 16|||R:OTHER|||dokončil|||REQUIRED|||-NONE-|||0
A 18 19|||R:DIACR|||právnické|||REQUIRED|||-NONE-|||0

S Má jednu setru . Jmenuje se Eva .
A 2 3|||R:NOUN|||sestru|||REQUIRED|||-NONE-|||0
A 3 4|||R:PUNCT|||,|||REQUIRED|||-NONE-|||0

S Chodí spát pozdě , neboť chodí do školy až v poledne .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S V Finsku moc říkáme „ děkuji“ .
A 3 4|||R:OTHER|||používáme slovo|||REQUIRED|||-NONE-|||0

S Tak nedělej hluk , to je neslušné .
A 4 6|||R:WO|||je to|||REQUIRED|||-NONE-|||0

S Mama snadno se rozzlobí .
A 1 3|||R:WO|||se snadno|||REQUIRED|||-NONE-|||0

S Bible - Apokryf
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S A tak farář mlouvil o Bohu , jak stvořil Adama z vlastního obrazu a Evu z Adamova řebra .
A 3 4|||R:SPELL|||mluvil|||REQUIRED|||-NONE-|||0
A 17 18|||R:SPELL|||žebra|||REQUIRED|||-NONE-|||0

S „ Dobrý den , páne faráři jmenujem Jiří a chtěl jsem vám jenom říct , že dnešní pohádka byla , jako vždycky velice poutavá ! “
A 21 22|||R:ADV|||vždy|||REQUIRED|||-NONE-|||0

S " Co jsou tohle za drby ? !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Jiří , vidím , že seš pomatěn a neumíš říct co je teď skutečnost a co lež .
A 6 7|||R:SPELL|||zmatený|||REQUIRED|||-NONE-|||0

S je mi třicet děvět let .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S To jsem ja .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S he - he - he možná nemá noh ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Životopis ve 23 nebude moc dlouhi .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Za prvé dobrý stipendium , za druhé pomalé , ale pevně zlepšení me čestiny , a co jěště duležitějsí pro mě – možnost začit studium madarštiny .
A 0 1|||R:OTHER|||Dostal|||REQUIRED|||-NONE-|||0
A 8 8|||M:OTHER|||jsem si zlepšil češtinu|||REQUIRED|||-NONE-|||0
A 8 10|||R:PUNCT|||. Ale|||REQUIRED|||-NONE-|||0
A 15 24|||R:OTHER|||že jsem začal|||REQUIRED|||-NONE-|||0
A 24 25|||R:OTHER|||studovat|||REQUIRED|||-NONE-|||0

S Potom , v 9.30 odjelí jsme k ho budoucnou manželký .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S V Praze to je normální .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Anglicky s těžkým italskym přizvukem , franzouzky s lehkým anglickým přizvukem , a italský bez žadneho přizvuka ale s německými slovami .
A 4 5|||R:DIACR|||přízvukem|||REQUIRED|||-NONE-|||0

S Pan autor dostal darek . Darek je krasný sameček andulaka .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Rano u snídane zašla řeč o velikonocích .
A 0 1|||R:DIACR|||Ráno|||REQUIRED|||-NONE-|||0
A 2 3|||R:DIACR|||snídaně|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB|||začala|||REQUIRED|||-NONE-|||0
A 6 7|||R:ORTH:CASING|||Velikonocích|||REQUIRED|||-NONE-|||0

S Moc bych chtěla mluvit vice jazyků , než svůj vlástní .
A 4 5|||R:DIACR|||více|||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:INFL|||jazyky|||REQUIRED|||-NONE-|||0
A 8 8|||M:PART|||jen|||REQUIRED|||-NONE-|||0
A 9 10|||R:SPELL|||vlastním|||REQUIRED|||-NONE-|||0

S A Čeština to je vlastní , národní jazyk téhle země a její lidí .
A 2 2|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S Česky je slovanským jazykem jako i rusky .
A 4 4|||M:ADV|||stejně|||REQUIRED|||-NONE-|||0

S A čim víc se učim , tim víc se mi čeština libí .
A 1 2|||R:DIACR|||čím|||REQUIRED|||-NONE-|||0

S A pro mě to nebylo vůbec tak zajímavé , proto jsem odešla a začála hrát sama .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S A mu to opravdu povědlo a ja jsem ( z toho ) měla ranu , která moc bolela .
A 1 2|||U:PRON||||||REQUIRED|||-NONE-|||0
A 3 3|||M:PRON|||se mu|||REQUIRED|||-NONE-|||0
A 13 14|||R:DIACR|||ránu|||REQUIRED|||-NONE-|||0

S Ředitel školy musí dát svým
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Každy den učime se po tři hodiny .
A 0 1|||R:DIACR|||Každý|||REQUIRED|||-NONE-|||0
A 2 4|||R:WO:SPELL|||se učíme|||REQUIRED|||-NONE-|||0
A 4 5|||R:ADP|||do|||REQUIRED|||-NONE-|||0
A 5 6|||R:DIACR|||tří|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:INFL|||hodin|||REQUIRED|||-NONE-|||0

S Učitele je moc fajni , hezki , dobři , veseli .
A 3 4|||R:SPELL|||fajn|||REQUIRED|||-NONE-|||0
A 7 8|||R:DIACR|||dobří|||REQUIRED|||-NONE-|||0

S Ale vyučování máme v různu dobu .
A 4 5|||R:MORPH|||různou|||REQUIRED|||-NONE-|||0

S Máme dvanádcet hodin češtiny v tydnu .
A 1 2|||R:SPELL|||dvanáct|||REQUIRED|||-NONE-|||0

S Byl pěkný sluneční den .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Mohla bych založit své vlastní firmu a pracovat jenom pro sebe .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Rozdíl mezi městem a vesnicí můžeme sledovat ve slovní zásobě ( jako např . : služka , lenoška , oslovení „ páne tato“ )
A 21 23|||R:OTHER|||pantáto“|||REQUIRED|||-NONE-|||0

