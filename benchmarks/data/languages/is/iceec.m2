S Bærinn var lítill en gat þó séð , að einhverju marki , fólkinu í landinu fyrir munaðarvörum sem voru þó af skornum skammti .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Hægt og bítandi var reynt að brúa bilið milli ríkra og fátækra og menntun varð almennari meðal fólks .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Heimurinn getur brauðfætt fleirra fólk og í framtíðinni ætti maðurinn að geta útrýmt öllu því volæði sem margir lifa við í dag .
A 3 4|||nonword|||fleira|||REQUIRED|||-NONE-|||0

S Þannig fengu aðeins þeir ríku tækifæri á að mennta sig .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S En hverjar eru virkilegar framtíðarhorfur ungs menntafólks á nýrri öld ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Horfurnar fram á veginn geta því ekki verið annað en bjartar .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Skólar á Íslandi þekktust nánast ekki og lærði fólk hjá lærðum mönnum víðsvegar um landið .
A 12 13|||merged-words|||víðs vegar|||REQUIRED|||-NONE-|||0

S Þegar byrjað var að efla menntun gátu fleirri numið bóklestur og eflt þekkingu sína .
A 7 8|||nonword|||fleiri|||REQUIRED|||-NONE-|||0

S En ef við gefum okkur svarið með því að rannsaka fortíðina ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þjóðfélagið er sífellt að krefjast meira af yngsta fólkinu .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Menntun er sífellt að aukast meðal almennings og ekki þekkist að fólk kunni hvorki að skrifa né lesa .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Fleirri vildu læra og ríkið byrjaði að byggja og reisa grunnskóla .
A 0 1|||nonword|||Fleiri|||REQUIRED|||-NONE-|||0

S Framtíðarhorfur á nýrri öld eru nokkuð góðar .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Hverjar eru framtíðarhorfur ungs menntafólks á nýrri öld ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Við höfum lært á tæknina og eignað okkur hana .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Það sem foreldrar okkar lærðu í skólabókum þegar þau voru tvítug , lærðum við eflaust fimmtán ára .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þessi tæknivæddi heimur sem foreldrar okkar hafa byggt í kringum okkur hefur gefið okkur öllum svo mikil tækifæri .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þetta lærði ég til dæmis ekki fyrr en ég kom í grunnskóla .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Á nýrri öld mun ungt fólk þurfa að mennta sig mun meira og vera sérhæfðara en til dæmis foreldrar þeirra voru .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Fólk með góða menntun er einnig að verða helsta eldsneyti þjóðfélaga því þjóðfélögin reiða sig á kunnáttu og hæfni þegna sinna .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Menntað fólk fær vel borgað og getur lifað nokkuð vel .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þannig eykst þekkingin , stig frá stigi .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Menntun er að verða á sinn hátt forsenda lífs í þróuðum þjóðfélögum .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Án menntunar verður mun erfiðara að fá sér vinnu sem nægir til að halda í sér lífinu .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Hvernig þróaðist menntun til okkar tíma ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Menntun er máttur og það sér unga fólkið í dag .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Börnin mín gætu kannski verið að leysa stúdentsprófið mitt í sæmræmduprófunum sínum .
A 4 7|||wording|||leyst|||REQUIRED|||-NONE-|||0
A 10 11|||merged-words|||samræmdu prófunum|||REQUIRED|||-NONE-|||0

S Meiri lærdómur kallar á meiri framfarir í þjóðfélaginu , því helsta forsenda framfara og þróunar er kunnátta .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Efling fræðslu eykst stigvaxandi og fleirri manns komast að í skólum víðsvegar um landið .
A 5 6|||nonword|||fleiri|||REQUIRED|||-NONE-|||0

S Fleirra fólk er á leiðinni út á atvinnumarkaðinn með góða og mikla þekkingu á bak við sig .
A 0 1|||nonword|||Fleira|||REQUIRED|||-NONE-|||0

S Það er spurning sem aðeins tíminn getur gefið í ljós .
A 6 8|||wording+collocation-idiom|||mun láta|||REQUIRED|||-NONE-|||0

S Unga fólkið sletti dönsku , enda þótti það mjög fínt á þeim tíma , og nam skóla erlendis .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þessi draumur um að lifa vel knýr fólk til lesturs og þekkingarleytar .
A 11 12|||y4i+nonword|||þekkingarleitar|||REQUIRED|||-NONE-|||0

S Ef maður ætlar að verða eitthvað í þjóðfélaginu þarf maður að vera menntaður í sinni atvinnugrein .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Hver veit ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Tökum dæmi . Fyrir svona hundrað árum var Reykjavík fiskibær .
A 2 3|||period4colon|||:|||REQUIRED|||-NONE-|||0

S Eftir að menntun varð svo aðgengileg fyrir alla , eins og á Íslandi , þá hefur fólk streymt í skólana og náð sér í einhverja menntun .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Tæknin hefur oftast verið nýtt til góðs og hafa framfarirnar ekki látið á sér standa .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þetta orsakaði það að menntun varð fyrr partur af lífi einstaklingsins .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Nám er ekki lengur bara tengt við lækna , presta eða lögmenn eins og á árum áður , heldur getur fólk lært það sem það vill og hefur áhuga á .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þetta kallar á aukna samkeppni milli fólks og allir þurfa að vera vel menntaðir og tilbúnir til að auka menntun við sig ef ekki á að detta úr lestinni .
A 26 27|||collocation-idiom|||heltast|||REQUIRED|||-NONE-|||0

S Ungt fólk , hvenær sem það hefur verið uppi , hefur alltaf verið að bæta á sig þekkingu .
A 15 16|||wording|||við|||REQUIRED|||-NONE-|||0

S Í dag eru krakkar í leikskólum byrjaðir að læra lesa og skrifa .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Víðsvegar um heiminn voru mótmælagöngur haldnar og meira að segja hér heima á litla Íslandi reyndu menn að hafa áhrif á stöðu heimsmálanna með misgóðum aðgerðum þó .
A 0 1|||merged-words|||víðs vegar|||REQUIRED|||-NONE-|||0
A 12 12|||missing-commas|||,|||REQUIRED|||-NONE-|||0
A 15 17|||dep+gendered|||, reyndi fólk|||REQUIRED|||-NONE-|||0

S Og viti menn , almúginn sem fylgdist með þessum gjörningi gjörsamlega trylltist af gleði og dansaði um milli þess sem hann traðkaði á föllnu styttunni , eða því sem eftir var af henni .
A 3 5|||comma4ex|||! Almúginn|||REQUIRED|||-NONE-|||0

S En forystumenn stórveldanna , Bandaríkjanna og Bretlands , létu sér þetta sem vind um eyru þjóta .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Stríðið sem einungis átti að taka rúma viku hefur heldur betur dregist á langin .
A 13 14|||nonword+n4nn|||langinn|||REQUIRED|||-NONE-|||0

S Þær átakanlegu fréttir bárust þjóðinni úr fjölmiðlum að Ísland hafi skrifað undir þennan samning og væri þar af leiðandi í fyrsta skipti síðan lands byggðist að taka þátt í stríði .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Á miðju torginu stóð stór bronsstytta af einræðisherranum og harðstjóranum .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Í útsendingum stóru sjónvarpsstöðvanna í útlandinu , á borð við BBC og SKY , má glöggt sjá að almenningur í Írak tekur hersveitum Bandaríkjanna og Bretlands með fagnandi hendi þegar þeir koma inn í borgirnar og frelsa þá frá hinum alræmda Hussein .
A 30 31|||agreement-pro|||þær|||REQUIRED|||-NONE-|||0
A 37 38|||agreement-pro|||hann|||REQUIRED|||-NONE-|||0

S Þá kom í ljós að þessi ákvörðun hafði ekki einu sinni siglt í gegnum þingið heldur tóku forsætisráðherrann og utanríkisráðherrann sér einfaldlega það vald að ákveða hvort að Ísland vildi fara í stríð .
A 27 28|||extra-word+style||||||REQUIRED|||-NONE-|||0

S STRÍÐ ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þó er farið að sjá fyrir endann á því þegar þetta er skrifað .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Það leyndi sér ekki í fjölmiðlum fyrir rúmum þremur vikum síðan að almenningur var á móti þessu stríði .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Írakar eiga rétt á að lifa frjálsir rétt eins og við vesturlandabúar .
A 11 12|||lower4upper-proper|||Vesturlandabúar|||REQUIRED|||-NONE-|||0

S Þeir gáfu sér tíma frá átökum til að binda spotta í styttuna og steypa henni af stallinum með togkrafti brynvagnanna .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þó að almenningur hafi verið á móti stríðinu í upphafi þá hefur örugglega einhver hluti hans endurskoðað stöðu sína í dag .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Og hvert er takmarkið ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þessum spurningum og fleiri er kunna að skjóta upp kollinum verður leitast við að svara í eftirfarandi ritgerð .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Eða eins og þeir létu hafa eftir sér : „ Við héldum að þetta skipti ekki svona miklu máli “ .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þeir bara urðu .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Á skjön við úrskurð Öryggisráðs Sameinuðu Þjóðanna hófu þeir þessa styrjöld .
A 4 5|||upper4lower-common|||öryggisráðs|||REQUIRED|||-NONE-|||0
A 6 7|||upper4lower-common|||þjóðanna|||REQUIRED|||-NONE-|||0

S Eftir langar vökur yfir fréttamyndum af stríðsrekstrinum og þá helst fagnaðarlátum innfæddra hef ég komist að þeirri niðurstöðu að ég vona að það takist að koma Saddam Hussein frá völdum sem fyrst , sama hvað það kostar til að hægt verði að byrja upp á nýtt , því þá fyrst fer lífið að byrja í Írak .
A 7 8|||conjunction4comma+missing-commas|||,|||REQUIRED|||-NONE-|||0
A 12 12|||dep|||,|||REQUIRED|||-NONE-|||0
A 37 37|||missing-comma|||,|||REQUIRED|||-NONE-|||0
A 46 47|||extra-comma||||||REQUIRED|||-NONE-|||0

S Í dag er 23. dagur stríðsreksturs í Írak .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Í fyrstu var ég andsnúinn því en sannfæringarkraftur stórveldanna hefur hrifið mig með sér .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Svo þurfa Bandaríkjamenn auðvitað að heyja stríð öðru hvoru til að prófa öll nýju hergögnin sem þeir eru búnir að eyða milljörðum dollara í að þróa og búa til .
A 17 21|||wording|||hafa eytt|||REQUIRED|||-NONE-|||0

S Á 21. degi stríðsins mátti sjá á BBC þegar bandarískir hermenn þustu inn í höfuðborg Íraks á skriðdrekum og staðnæmdust á torgi einu í miðborginni .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Á síðustu dögum fyrir fyrstu árás fóru svo þjóðir að styðja þessar aðgerðir .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Þeir þurftu einhvern til að koma sér til hjálpar .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Spurt hef ég tíu milljón manns sé myrtir í gamni utanlands .
A 6 7|||agreement|||séu|||REQUIRED|||-NONE-|||0

S Þannig að það þarf enginn að efast um það hvort þetta stríð eigi rétt á sér .
A 0 3|||wording|||Það|||REQUIRED|||-NONE-|||0
A 4 4|||dep|||því|||REQUIRED|||-NONE-|||0

S Margir vilja meina að Íraksstríðið sé bara tilraun George Bush bandaríkjaforseta að klára eitthvað sem faðir hans byrjaði á en tókst ekki að klára .
A 10 11|||lower4upper-proper|||Bandaríkjaforseta|||REQUIRED|||-NONE-|||0
A 11 11|||missing-conjunction|||til|||REQUIRED|||-NONE-|||0

S Auðvitað hefði kannski mátt fara aðra leið að því að koma Hussein frá völdum en Bandaríkjamenn segjast hafa reynt það árum saman án árangurs .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Hartnær 40 þjóðir skrifuðu undir samning þess hljóðandi að þær tækju þátt í aðgerðum við að koma Saddam Hussein frá völdum hvort sem þær sendu liðsafla eður ei .
A 6 7|||wording|||svo|||REQUIRED|||-NONE-|||0
A 14 15|||wording|||til|||REQUIRED|||-NONE-|||0

S Bandaríkjamenn og Bretar birtust þá í gervi riddarans á hvíta hestinum og þeystust af stað inn í eyðimörkina í leit að frelsinu sem var þar yfirbugað af einum manni .
A 5 8|||wording|||sem riddarinn|||REQUIRED|||-NONE-|||0

S Þeir segjast ekki hafa getað setið lengur á sér og horft á hörmungarnar halda áfram .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Aðrir vilja meina að á bakvið þessa þvælu sem oft frussast út úr forsetanum leynist örlítil samúð með fólkinu sem búið hefur við þetta harðræði sem Saddam Hussein hefur staðið fyrir .
A 5 6|||merged-words|||bak við|||REQUIRED|||-NONE-|||0
A 8 8|||missing-commas|||,|||REQUIRED|||-NONE-|||0
A 14 14|||dep|||,|||REQUIRED|||-NONE-|||0

S Af hverju eru Bandaríkjamenn og Bretar að skipta sér af málum Íraka og er það þess virði að fella allt þetta fólk , hermenn jafnt sem saklausa til þess eins að ná takmarkinu ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ég hef snúist í hringi á meðan á þessu stríði hefur staðið .
A 7 8|||extra-word||||||REQUIRED|||-NONE-|||0

S Og við verðum bara að treyst því að það sér rétt hjá þeim .
A 0 2|||extra-word|||Við|||REQUIRED|||-NONE-|||0
A 5 6|||verb-inflection|||treysta|||REQUIRED|||-NONE-|||0
A 9 10|||extra-letter|||sé|||REQUIRED|||-NONE-|||0

S Þetta var þjóðarsálin ekki sátt við og krafðist svara yfirvalda .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Af hverju hófst þetta stríð ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Að bjarga stolti fjölskyldunnar og blanda heimsbyggðinni í það .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

