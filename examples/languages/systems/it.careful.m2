S Ieri al parco , un uomo con dei grossi muscoli avevano una fragila donna sulla spalla .
A 10 11|||R:VERB:SVA|||aveva|||REQUIRED|||-NONE-|||0

S Lui Era in colera , Lei era terrozzata gridava e urlava , seduto su una banca un altro uomo leggeva un giornale .
A 1 2|||R:ORTH:CASE|||era|||REQUIRED|||-NONE-|||0
A 7 8|||R:ADJ|||terrorizzata|||REQUIRED|||-NONE-|||0
A 8 8|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S porta degli occhiali .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Vede la scena , si alza , anche lui era moscolato vuole giocare al buon saramitano .
A 10 11|||R:OTHER|||muscoloso ,|||REQUIRED|||-NONE-|||0

S e piccia l' uomo che aveva la rabbia , con i suoi pugni .
A 1 2|||R:VERB|||picchia|||REQUIRED|||-NONE-|||0

S L' uomo cade al suolo , con la sua lingua fuori , e senza spirito .
A 8 9|||U:DET||||||REQUIRED|||-NONE-|||0
A 11 12|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 14 15|||R:NOUN|||sensi|||REQUIRED|||-NONE-|||0

S A questo momento , la figlia si ritorna contro il suo salvatore , e si mette a urlare perchè « Lei ha fatto questa azione .
A 5 6|||R:NOUN|||donna|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB|||rivolge|||REQUIRED|||-NONE-|||0
A 18 18|||M:PUNCT|||: "|||REQUIRED|||-NONE-|||0
A 25 25|||M:PUNCT|||"|||REQUIRED|||-NONE-|||0

S È il mio fidanzato . Lo amo .
A 8 8|||M:PUNCT|||"|||REQUIRED|||-NONE-|||0

S Ieri al parco un uomo , con occhiali , seduto su una panchina , stava leggendo il giornale , ha visto passare un uomo fortissimo , con un cuore schizzato sul braccio , portando sulle sue spalle una dona bionda che grudava e sembrava chiedere soccorso .
A 33 34|||R:OTHER|||che portava|||REQUIRED|||-NONE-|||0
A 41 42|||R:VERB|||gridava|||REQUIRED|||-NONE-|||0

S L' uomo con occhiali , di scatto , ascoltando il suo coraggio , si è alzato e ha seguiro la coppia per andare a liberare la povera donna .
A 3 3|||M:DET|||gli|||REQUIRED|||-NONE-|||0

S Finse aveva paura di un rapito .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Dopo una breve lotta l' uomo che portava la donna si è trovato senza coscienza sul terreno , la lingua uscita dalla bocca .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S L' uomo con gli occhiali , in piedi , sembrava contento e soddisfato di lui .
A 14 15|||R:PRON|||sé|||REQUIRED|||-NONE-|||0

S Ma sorpesa !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Al contrario , la donna stava piangendo , la testa nelle mani .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Alla fine ha spigato a l' uomo che l' aveva liberata , che l' altra personna distesa sul terreno era il suo amore e che non gli aveva chiesto niente .
A 4 5|||R:ADP:FORM|||all'|||REQUIRED|||-NONE-|||0

S Ieri al parco sono andata da sola per riposar mi del mio lungo viaggio che ho fatto la domenica scorsa .
A 10 11|||R:ADP|||dal|||REQUIRED|||-NONE-|||0
A 17 18|||U:DET||||||REQUIRED|||-NONE-|||0

S Sono ritornata di vacanza e ho traversato tutta la Francia , cioè 95 kilometri con la macchina durante 9 h 30 .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ero stanca e pensavo a niente .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Avevo sentito delle parole forte , una donna sta gridando et un uomo la portava con lui brutalmente .
A 8 9|||R:AUX:TENSE|||stava|||REQUIRED|||-NONE-|||0

S Avevo paura e come avevo fatto le ore piccole , restavo penso dire niente .
A 3 4|||R:SCONJ|||siccome|||REQUIRED|||-NONE-|||0

S finalmente un bel uomo con occhiali si e interposato e a fatto cadere l' uomo brutto per salvare la donna .
A 7 8|||R:DIACR|||è|||REQUIRED|||-NONE-|||0

S Quest' uomo era un vero gentleman , molto simpatico .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ha fatto ridere la donna e questa non aveva piu paura .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S L' ho chiamo superman e mi a fatto pensare a un film anrico di Benigni nel quale la principessa sogna di un prince gentile !
A 2 3|||R:VERB:FORM|||chiamato|||REQUIRED|||-NONE-|||0

S La donna salvata sembrava anche sognare e guardava lui con occhi enamorati , aveva già dimenticato la brutta storia che si era svolgata dieci minuti fa !
A 4 5|||U:ADV||||||REQUIRED|||-NONE-|||0
A 7 7|||M:PRON|||lo|||REQUIRED|||-NONE-|||0
A 22 23|||R:VERB:FORM|||svolta|||REQUIRED|||-NONE-|||0

S La dona ringraziava suo salvatore con un braccio e chiusa le occhi .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Era una vero momento di benessere .
A 1 2|||R:DET|||un|||REQUIRED|||-NONE-|||0

S La natura del parco mi sembra piu verde , i fiori piu aperte , le uccele cantarono .
A 6 7|||R:DIACR|||più|||REQUIRED|||-NONE-|||0
A 11 12|||R:DIACR|||più|||REQUIRED|||-NONE-|||0
A 12 13|||R:ADJ:GENDER|||aperti|||REQUIRED|||-NONE-|||0

S Non sono oggi sicura si ho sognato o si ho realmente visto tutto , ma sono io anche un po unamora ta del bel uomo !!
A 4 5|||R:SCONJ|||se|||REQUIRED|||-NONE-|||0
A 8 9|||R:SCONJ|||se|||REQUIRED|||-NONE-|||0
A 16 18|||R:WO|||anche io|||REQUIRED|||-NONE-|||0
A 19 20|||R:PUNCT|||po'|||REQUIRED|||-NONE-|||0

S Ieri al parco , ero camminando nella parte lo più vuoto del parco , perchè avevo bisogno di solitudine , quando ho visto una cosa strana .
A 4 5|||R:AUX|||stavo|||REQUIRED|||-NONE-|||0
A 8 9|||U:DET||||||REQUIRED|||-NONE-|||0
A 10 11|||R:ADJ:GENDER|||vuota|||REQUIRED|||-NONE-|||0
A 14 15|||R:DIACR|||perché|||REQUIRED|||-NONE-|||0

S Un uomo molto forto , la testa cattiva aveva preso sulla sua spalle una donna , forse la sua donna ?
A 8 8|||M:OTHER|||intenzioni ,|||REQUIRED|||-NONE-|||0
A 11 12|||R:DET:NUM|||sue|||REQUIRED|||-NONE-|||0

S ma a questo momento non ero sicuro di questo fatto .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S La donna non mi sembrava molto contenta e gridava sopra le spalle del uomo .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Un altra uomo , si trova li , seduto sul un panchino del parco , leggendo un giornale con i suoi occhiali .
A 3 4|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 6 7|||R:DIACR|||lì|||REQUIRED|||-NONE-|||0
A 9 10|||R:ADP:FORM|||su|||REQUIRED|||-NONE-|||0

S Questo mi sembrava più carino e gentile ma al invece , quando ha ascolto la donna gridare , si alzava a l' uomo che sembrava più forte ma neanche caduti a terra .
A 8 9|||R:OTHER|||,|||REQUIRED|||-NONE-|||0
A 19 20|||R:VERB:TENSE|||è alzato|||REQUIRED|||-NONE-|||0

S L' uomo carino era soddisfatto di lui e magari aspettandava da vedere che la donna almeno gli ha fatto un sorriso .
A 6 7|||R:PRON|||sé|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB|||aspettava|||REQUIRED|||-NONE-|||0

S Ma lei al invece s' era arrarbi contro l' uomo carino dicendo che lui , aveva fatto male al suo amore .
A 2 3|||U:ADP||||||REQUIRED|||-NONE-|||0
A 7 8|||R:ADP|||con|||REQUIRED|||-NONE-|||0
A 14 15|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Come mai capire le donne !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ieri al parco , uno uomo che si chiama Matteo stava leggendo tranquillamente il suo giornale su una panchina .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S E arrivato un altro uomo portando una donna sulla sua spalle .
A 0 1|||R:DIACR|||È|||REQUIRED|||-NONE-|||0
A 9 10|||R:DET:NUM|||sue|||REQUIRED|||-NONE-|||0

S Sembrava molto brutto e la donna stava gridando : « No , no , Marco , lascia mi ! Aiuto ! Aiuto ! » .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Matteo non poteva veder la senza fare niente .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Con tutto il suo corragio , Matteo andava a dare una mano a questa ragazza .
A 7 8|||R:VERB:TENSE|||è andato|||REQUIRED|||-NONE-|||0

S Strappava Marco , toccava sulla sua testa e Marco cadeva .
A 0 0|||M:PRON|||L'|||REQUIRED|||-NONE-|||0

S Però , non è successo come Matteo pensava .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Quando la signorina ha visto Marco il quale non si muoveva più , non era contenta !
A 5 5|||M:SCONJ|||che|||REQUIRED|||-NONE-|||0
A 6 8|||U:OTHER||||||REQUIRED|||-NONE-|||0

S Ed allora , ha detto a Matteo : « Non mi piace ! È il mio amore ! Che l' aveva fatto , lei ? »
A 8 9|||R:PUNCT|||"|||REQUIRED|||-NONE-|||0
A 19 20|||R:PRON|||le|||REQUIRED|||-NONE-|||0

S Ieri al parco Io stavo leggendo e vedevo un uomo che portava una donna .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S La donna gritava , così Io trovava rescatar la .
A 2 3|||R:VERB|||gridava|||REQUIRED|||-NONE-|||0
A 5 6|||R:ORTH:CASE|||io|||REQUIRED|||-NONE-|||0
A 7 8|||R:OTHER|||a liberar|||REQUIRED|||-NONE-|||0

S Il uomo era alto , forte e molto musculuso , ma Io può derribar le salvare a la donna .
A 11 12|||R:ORTH:CASE|||io|||REQUIRED|||-NONE-|||0
A 13 14|||R:VERB|||batter|||REQUIRED|||-NONE-|||0
A 15 15|||M:CCONJ|||e|||REQUIRED|||-NONE-|||0
A 16 17|||U:ADP||||||REQUIRED|||-NONE-|||0

S Ma la donna cominzava a gridare e Io non sapiava perchè .
A 10 11|||R:DIACR|||perché|||REQUIRED|||-NONE-|||0

S Secondo lei il uomo era il suo amante .
A 2 2|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 2 3|||R:DET|||l'|||REQUIRED|||-NONE-|||0

S Ieri sera al parco , mentre leggevo il giornale seduto su una panchina , me ha successo qualcosa di molto spiacevole , ho sentito sgridare a una ragazza chiedendo aiuto .
A 14 15|||R:PRON|||mi|||REQUIRED|||-NONE-|||0
A 28 29|||R:OTHER|||che chiedeva|||REQUIRED|||-NONE-|||0

S Ho visto un uomo palestrato portando sulle spalle alla ragazza .
A 5 5|||M:OTHER|||che stava|||REQUIRED|||-NONE-|||0

S Sembrava così spaventata , quindi ho pensato di aiutar la .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ho affrontato l' uomo e gli ho dato un colpo che l' ha mandato a terra .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Mi ha sorpreso la forma come l' ho colpito .
A 3 4|||R:DET|||il|||REQUIRED|||-NONE-|||0

S Sai che non me piace combattere , ma penso che per la sorpresa della situazione o reagito senza pensare alle conseguenze .
A 15 16|||R:OTHER|||, ho|||REQUIRED|||-NONE-|||0

S Ma ho pensato il fine giustifica i mezzi ..
A 3 3|||M:SCONJ|||che|||REQUIRED|||-NONE-|||0
A 8 9|||R:PUNCT|||...|||REQUIRED|||-NONE-|||0

