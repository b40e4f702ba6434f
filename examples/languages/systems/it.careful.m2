S Ieri a il parco , un uomo con dei grossi muscoli avevano una fragila donna su la spalla .
A 11 12|||R:VERB:SVA|||aveva|||REQUIRED|||-NONE-|||0

S Lui Era in colera , Lei era terrozzata gridava e urlava , seduto su una banca un altro uomo leggeva un giornale .
A 1 2|||R:ORTH:CASE|||era|||REQUIRED|||-NONE-|||0
A 7 8|||R:ADJ|||terrorizzata|||REQUIRED|||-NONE-|||0
A 8 8|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S porta degli occhiali .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Vede la scena , si alza , anche lui era moscolato vuole giocare a il buon saramitano .
A 10 11|||R:OTHER|||muscoloso ,|||REQUIRED|||-NONE-|||0

S e piccia l' uomo che aveva la rabbia , con i suoi pugni .
A 1 2|||R:VERB|||picchia|||REQUIRED|||-NONE-|||0

S L' uomo cade a il suolo , con la sua lingua fuori , e senza spirito .
A 9 10|||U:DET||||||REQUIRED|||-NONE-|||0
A 12 13|||U:PUNCT||||||REQUIRED|||-NONE-|||0
A 15 16|||R:NOUN|||sensi|||REQUIRED|||-NONE-|||0

S A questo momento , la figlia si ritorna contro il suo salvatore , e si mette a urlare perchè « Lei ha fatto questa azione .
A 5 6|||R:NOUN|||donna|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB|||rivolge|||REQUIRED|||-NONE-|||0
A 18 18|||M:PUNCT|||: "|||REQUIRED|||-NONE-|||0
A 25 25|||M:PUNCT|||"|||REQUIRED|||-NONE-|||0

S È il mio fidanzato . Lo amo .
A 8 8|||M:PUNCT|||"|||REQUIRED|||-NONE-|||0

S Ieri a il parco un uomo , con occhiali , seduto su una panchina , stava leggendo il giornale , ha visto passare un uomo fortissimo , con un cuore schizzato su il braccio , portando su le sue spalle una dona bionda che grudava e sembrava chiedere soccorso .
A 35 36|||R:OTHER|||che portava|||REQUIRED|||-NONE-|||0
A 44 45|||R:VERB|||gridava|||REQUIRED|||-NONE-|||0

S L' uomo con occhiali , di scatto , ascoltando il suo coraggio , si è alzato e ha seguiro la coppia per andare a liberare la povera donna .
A 3 3|||M:DET|||gli|||REQUIRED|||-NONE-|||0

S Finse aveva paura di un rapito .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Dopo una breve lotta l' uomo che portava la donna si è trovato senza coscienza su il terreno , la lingua uscita da la bocca .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S L' uomo con gli occhiali , in piedi , sembrava contento e soddisfato di lui .
A 14 15|||R:PRON|||sé|||REQUIRED|||-NONE-|||0

S Ma sorpesa !
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S A il contrario , la donna stava piangendo , la testa in le mani .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S A la fine ha spigato a l' uomo che l' aveva liberata , che l' altra personna distesa su il terreno era il suo amore e che non gli aveva chiesto niente .
A 12 13|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Ieri a il parco sono andata da sola per riposar mi di il mio lungo viaggio che ho fatto la domenica scorsa .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Sono ritornata di vacanza e ho traversato tutta la Francia , cioè 95 kilometri con la macchina durante 9 h 30 .
A 2 3|||R:ADP|||da|||REQUIRED|||-NONE-|||0
A 3 3|||M:DET|||la|||REQUIRED|||-NONE-|||0

S Ero stanca e pensavo a niente .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Avevo sentito delle parole forte , una donna sta gridando et un uomo la portava con lui brutalmente .
A 10 11|||R:CCONJ|||e|||REQUIRED|||-NONE-|||0

S Avevo paura e come avevo fatto le ore piccole , restavo penso dire niente .
A 11 12|||R:OTHER|||senza|||REQUIRED|||-NONE-|||0

S finalmente un bel uomo con occhiali si e interposato e a fatto cadere l' uomo brutto per salvare la donna .
A 8 9|||R:VERB|||interposto|||REQUIRED|||-NONE-|||0

S Quest' uomo era un vero gentleman , molto simpatico .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ha fatto ridere la donna e questa non aveva piu paura .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S L' ho chiamo superman e mi a fatto pensare a un film anrico di Benigni in il quale la principessa sogna di un prince gentile !
A 6 7|||R:AUX:FORM|||ha|||REQUIRED|||-NONE-|||0

S La donna salvata sembrava anche sognare e guardava lui con occhi enamorati , aveva già dimenticato la brutta storia che si era svolgata dieci minuti fa !
A 7 7|||M:PRON|||lo|||REQUIRED|||-NONE-|||0
A 8 9|||U:PRON||||||REQUIRED|||-NONE-|||0
A 25 26|||R:ADV|||prima|||REQUIRED|||-NONE-|||0

S La dona ringraziava suo salvatore con un braccio e chiusa le occhi .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Era una vero momento di benessere .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S La natura di il parco mi sembra piu verde , i fiori piu aperte , le uccele cantarono .
A 6 7|||R:VERB:TENSE|||sembrò|||REQUIRED|||-NONE-|||0
A 12 13|||R:DIACR|||più|||REQUIRED|||-NONE-|||0
A 13 14|||R:ADJ:GENDER|||aperti|||REQUIRED|||-NONE-|||0
A 15 16|||R:DET|||gli|||REQUIRED|||-NONE-|||0

S Non sono oggi sicura si ho sognato o si ho realmente visto tutto , ma sono io anche un po unamora ta di il bel uomo !!
A 8 9|||R:SCONJ|||se|||REQUIRED|||-NONE-|||0
A 15 16|||U:AUX||||||REQUIRED|||-NONE-|||0
A 18 18|||M:OTHER|||mi sono|||REQUIRED|||-NONE-|||0
A 20 22|||R:OTHER|||innamorata|||REQUIRED|||-NONE-|||0

S Ieri a il parco , ero camminando in la parte lo più vuoto di il parco , perchè avevo bisogno di solitudine , quando ho visto una cosa strana .
A 10 11|||U:DET||||||REQUIRED|||-NONE-|||0
A 12 13|||R:ADJ:GENDER|||vuota|||REQUIRED|||-NONE-|||0
A 17 18|||R:DIACR|||perché|||REQUIRED|||-NONE-|||0

S Un uomo molto forto , la testa cattiva aveva preso su la sua spalle una donna , forse la sua donna ?
A 3 4|||R:ADJ|||forte|||REQUIRED|||-NONE-|||0
A 11 12|||R:DET|||le|||REQUIRED|||-NONE-|||0

S ma a questo momento non ero sicuro di questo fatto .
A 0 1|||R:ORTH:CASE|||Ma|||REQUIRED|||-NONE-|||0

S La donna non mi sembrava molto contenta e gridava sopra le spalle di il uomo .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Un altra uomo , si trova li , seduto su il un panchino di il parco , leggendo un giornale con i suoi occhiali .
A 5 6|||R:VERB:TENSE|||trovava|||REQUIRED|||-NONE-|||0
A 10 12|||R:DET|||una|||REQUIRED|||-NONE-|||0
A 12 13|||R:NOUN|||panchina|||REQUIRED|||-NONE-|||0

S Questo mi sembrava più carino e gentile ma a il invece , quando ha ascolto la donna gridare , si alzava a l' uomo che sembrava più forte ma neanche caduti a terra .
A 14 15|||R:VERB|||sentito|||REQUIRED|||-NONE-|||0
A 21 22|||R:OTHER|||, ha colpito|||REQUIRED|||-NONE-|||0

S L' uomo carino era soddisfatto di lui e magari aspettandava da vedere che la donna almeno gli ha fatto un sorriso .
A 9 9|||M:PRON|||si|||REQUIRED|||-NONE-|||0
A 10 11|||R:ADP|||di|||REQUIRED|||-NONE-|||0

S Ma lei a il invece s' era arrarbi contro l' uomo carino dicendo che lui , aveva fatto male a il suo amore .
A 7 8|||R:VERB|||arrabbiata|||REQUIRED|||-NONE-|||0
A 15 16|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Come mai capire le donne !
A 1 2|||U:ADV||||||REQUIRED|||-NONE-|||0

S Ieri a il parco , uno uomo che si chiama Matteo stava leggendo tranquillamente il suo giornale su una panchina .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S E arrivato un altro uomo portando una donna su la sua spalle .
A 9 10|||R:DET|||le|||REQUIRED|||-NONE-|||0

S Sembrava molto brutto e la donna stava gridando : « No , no , Marco , lascia mi ! Aiuto ! Aiuto ! » .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Matteo non poteva veder la senza fare niente .
A 3 4|||R:VERB|||stare|||REQUIRED|||-NONE-|||0

S Con tutto il suo corragio , Matteo andava a dare una mano a questa ragazza .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Strappava Marco , toccava su la sua testa e Marco cadeva .
A 0 0|||M:PRON|||L'|||REQUIRED|||-NONE-|||0
A 0 1|||R:VERB:TENSE|||ha strappata|||REQUIRED|||-NONE-|||0

S Però , non è successo come Matteo pensava .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Quando la signorina ha visto Marco il quale non si muoveva più , non era contenta !
A 6 8|||U:OTHER||||||REQUIRED|||-NONE-|||0

S Ed allora , ha detto a Matteo : « Non mi piace ! È il mio amore ! Che l' aveva fatto , lei ? »
A 8 9|||R:PUNCT|||"|||REQUIRED|||-NONE-|||0
A 19 20|||R:PRON|||le|||REQUIRED|||-NONE-|||0
A 22 24|||U:OTHER||||||REQUIRED|||-NONE-|||0

S Ieri a il parco Io stavo leggendo e vedevo un uomo che portava una donna .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S La donna gritava , così Io trovava rescatar la .
A 5 6|||R:ORTH:CASE|||io|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB|||ho provato|||REQUIRED|||-NONE-|||0

S Il uomo era alto , forte e molto musculuso , ma Io può derribar le salvare a la donna .
A 0 1|||R:DET|||L'|||REQUIRED|||-NONE-|||0
A 12 13|||R:AUX:FORM|||potevo|||REQUIRED|||-NONE-|||0
A 14 15|||R:PRON|||lo|||REQUIRED|||-NONE-|||0
A 16 17|||U:ADP||||||REQUIRED|||-NONE-|||0

S Ma la donna cominzava a gridare e Io non sapiava perchè .
A 3 4|||R:VERB|||ha cominciato|||REQUIRED|||-NONE-|||0

S Secondo lei il uomo era il suo amante .
A 2 2|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 2 3|||R:DET|||l'|||REQUIRED|||-NONE-|||0

S Ieri sera a il parco , mentre leggevo il giornale seduto su una panchina , me ha successo qualcosa di molto spiacevole , ho sentito sgridare a una ragazza chiedendo aiuto .
A 15 16|||R:PRON|||mi|||REQUIRED|||-NONE-|||0
A 16 17|||R:AUX|||è|||REQUIRED|||-NONE-|||0

S Ho visto un uomo palestrato portando su le spalle a la ragazza .
A 5 5|||M:OTHER|||che stava|||REQUIRED|||-NONE-|||0
A 9 10|||U:ADP||||||REQUIRED|||-NONE-|||0

S Sembrava così spaventata , quindi ho pensato di aiutar la .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ho affrontato l' uomo e gli ho dato un colpo che l' ha mandato a terra .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Mi ha sorpreso la forma come l' ho colpito .
A 4 5|||R:OTHER|||modo di|||REQUIRED|||-NONE-|||0

S Sai che non me piace combattere , ma penso che per la sorpresa di la situazione o reagito senza pensare a le conseguenze .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ma ho pensato il fine giustifica i mezzi ..
A 3 3|||M:SCONJ|||che|||REQUIRED|||-NONE-|||0
A 8 9|||R:PUNCT|||...|||REQUIRED|||-NONE-|||0

