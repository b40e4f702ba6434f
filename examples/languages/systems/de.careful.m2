S Das Ergebnis ist eine schwach ekonomie .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Eine Regierung hat eine bestimmte Verantwörtlichkeit , für seinen Bürgern zu sorgen , auch wenn diesen nicht direkt eine Gegenleistung erbringen können .
A 9 10|||R:NOUN:FORM|||Bürger|||REQUIRED|||-NONE-|||0
A 16 17|||R:OTHER|||keine|||REQUIRED|||-NONE-|||0

S Sie durften keine Rolle in der Wirtschaft oder Geschäftsführung spielen und sie durften auch nicht wahlen .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Der Feminismus hat ein unwirkbares Bild der Weiblichkeit gekennzeichnet , wobei Frauen alles machen mussen - Kinder und Beruf .
A 15 16|||R:PUNCT|||:|||REQUIRED|||-NONE-|||0

S Ich studiere Journalistik in der haupte Universität von Russland .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Und viele Menschen , die in der Uni eingepaukt haben , werden später nicht praxisorientiert .
A 8 9|||R:VERB|||gepaukt|||REQUIRED|||-NONE-|||0
A 15 15|||M:AUX|||sein|||REQUIRED|||-NONE-|||0

S Die meisten Universitätsabschlüsse sind nicht praxisorientiert , welches ein Problem ist .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Kein von diesen Beispielen kann , wegen des Prozesses der Geschichte , ein sauberes Gewusst haben .
A 0 1|||R:OTHER|||Keins|||REQUIRED|||-NONE-|||0
A 11 12|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Frauen heute genossen viele Vorteile , die von Feminismus erreicht waren .
A 7 8|||R:ADP|||vom|||REQUIRED|||-NONE-|||0

S Aber , es gibt auch der Argument , dass dieses alte deutsche System negativ ist , weil es gar nicht praxisorientiert ist .
A 1 2|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Aber , Studenten in andere Länden wie England und die U.S.A müssen auch Studiengebühren bezahlen .
A 9 10|||R:DET:FORM|||der|||REQUIRED|||-NONE-|||0

S Auf jeden Fall gab es solche Probleme in der Vergangenheit aber heutzutage ist es ein heiß umstrittenes Thema .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Das Gefühl , dass die Weibliche immer Recht habe wurde stark gefördert .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Solange die Mutter dabei ist , dann gebe es kein Bedarf für Männer , und solche Haltung ist ohne Frage für Kinder deprimierend .
A 9 10|||R:DET:FORM|||keinen|||REQUIRED|||-NONE-|||0

S Wenn man für Geld oder Entspannung oder Rache Kriminalität wahlt , es ist nie maralisch um etwas gegen Menschen oder ilegal zu tun .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Vielleicht sind Sie erwischt !
A 1 2|||R:AUX|||werden|||REQUIRED|||-NONE-|||0

S Es gibt auch immer die Chance , dass man irgendwann viel Zeit im Gefängnis verbringen wird .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ich will auch efolgreich in anderen Aspekte meines Lebens sein .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Und deshalb gibt es viele Kriminelle die jetzt ganz reich sind und sich eine bequeme Lebensstil leisten kann .
A 13 14|||R:DET:FORM|||einen|||REQUIRED|||-NONE-|||0
A 17 18|||R:AUX:FORM|||können|||REQUIRED|||-NONE-|||0

S Für einige Leute ist dieses Leben viel besser als ihre ehemalige Situation .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Und wenn man als Verbrecher schuldig gefunden wird , verliert man alle die Vorteile des kriminalisches Lebens .
A 5 5|||M:ADP|||für|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB|||befunden|||REQUIRED|||-NONE-|||0

S Es wäre deshalb vielleicht zu kompliziert eine System zu schaffen , dass alle Arbeiter , Mutter , und Teilzeitarbeiter urteilen könnte .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Diese Nachfolge haben viele Formen und man muss nicht nur Geld zahlen sondern auch etwas verloren .
A 12 12|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S Beispielsweise als man mit 14 Jahre alt seine Straße vandalisiert hat , hat man nicht an der Nachfolge gedacht .
A 1 1|||M:AUX|||hat|||REQUIRED|||-NONE-|||0
A 1 1|||M:PRON|||man|||REQUIRED|||-NONE-|||0
A 12 13|||U:AUX||||||REQUIRED|||-NONE-|||0

S Darüber hinaus muss man diese Zeit mit widerliche Menschen verbringen wie zum Beispiel Mörder oder Vergewältiger .
A 7 8|||R:ADJ:FORM|||widerlichen|||REQUIRED|||-NONE-|||0
A 10 10|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 13 14|||R:NOUN:FORM|||Mördern|||REQUIRED|||-NONE-|||0

S Sicher hat man Geld , aber auf eine geistliche Ebene muss mit dem Wissen leben , dass man viele Leute Drogensüchtig gemacht hat .
A 7 8|||R:DET:FORM|||einer|||REQUIRED|||-NONE-|||0
A 20 21|||R:ORTH|||drogensüchtig|||REQUIRED|||-NONE-|||0

S Die Studienzeit wird dann als eine Trainingsphase betrachtet , die künftige Angestellte und Beamter vorbereitet , effizient zu sein , damit Wirtschaftswachstum erreicht worden kann .
A 13 14|||R:NOUN:FORM|||Beamte|||REQUIRED|||-NONE-|||0
A 23 24|||R:AUX:FORM|||werden|||REQUIRED|||-NONE-|||0

S zum Beispiel wie man sich bei einem Unternehm verhalten soll und Anliches .
A 0 1|||R:ORTH|||Zum|||REQUIRED|||-NONE-|||0
A 7 8|||R:SPELL|||Unternehmen|||REQUIRED|||-NONE-|||0
A 11 12|||R:SPELL|||Ähnliches|||REQUIRED|||-NONE-|||0

S Normalerweise versteht die Firma und die Firma hat genug Zeit und genug Geld während und nach der Schwangerschaft zu entspannen .
A 18 18|||M:SCONJ|||um|||REQUIRED|||-NONE-|||0

S Wer hat geboren der Junge oder das Mätchan Wie Name deine Kind ?
A 3 3|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 11 12|||R:NOUN:FORM|||Kindes|||REQUIRED|||-NONE-|||0

S Aber ich bin immer selbstbewusst .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S 101 65185 Wiesbaden .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Mit freundlichen Grüßen Maria Winkelmann
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Für eine drei Zimmer Wohnung ohne Abstellplatz muss man mit minimum twelve hundred Franken pro Monat rechnen .
A 2 5|||R:ORTH|||Dreizimmerwohnung|||REQUIRED|||-NONE-|||0

S Ich bin sehr an elektronischen Datenverabreitung interessiert und wenn ich mit den Leute arbeite , bin ich in meinem Element .
A 5 6|||R:SPELL|||Datenverarbeitung|||REQUIRED|||-NONE-|||0

S Um sich in der Landeskultur zu Integrieren muss man die Landessprache können .
A 3 4|||R:DET:FORM|||die|||REQUIRED|||-NONE-|||0
A 6 7|||R:ORTH|||integrieren|||REQUIRED|||-NONE-|||0
A 7 7|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S Ich habe eine Fahrkarte für einen wochenendausflug gekauft .
A 6 7|||R:ORTH|||Wochenendausflug|||REQUIRED|||-NONE-|||0

S wann kannst du die BusFahrkarte mit nehmen ?
A 0 1|||R:ORTH|||Wann|||REQUIRED|||-NONE-|||0

S Als erste , von Gastfamilie habe ich kein mein Freizeit und am Wochenende muss ich noch paar Stunde arbeiten .
A 1 2|||R:MORPH|||Erstes|||REQUIRED|||-NONE-|||0
A 7 8|||R:DET:FORM|||keine|||REQUIRED|||-NONE-|||0
A 8 9|||U:DET||||||REQUIRED|||-NONE-|||0
A 16 16|||M:DET|||ein|||REQUIRED|||-NONE-|||0
A 17 18|||R:MORPH|||Stunden|||REQUIRED|||-NONE-|||0

S Maria Müller Stadt X , 05.03.2010
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Darüber hinaus hoffe ich meine bisher erworbene Kenntnisse während eines Praktikums einbringen zu können .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Liebe Grüße dein Tobias
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ist Es Sohn oder Tochter ?
A 2 2|||M:DET|||ein|||REQUIRED|||-NONE-|||0
A 4 4|||M:DET|||eine|||REQUIRED|||-NONE-|||0

S Während den Sommerferien möchte ich ein Praktikum machen , deshalb bewerbe ich mich bei Ihnen als Praktikantin .
A 1 2|||R:DET:FORM|||der|||REQUIRED|||-NONE-|||0

S Deshalb möchte ich deine hilft von 17 marz bis 20 marz .
A 4 6|||R:OTHER|||Hilfe , vom|||REQUIRED|||-NONE-|||0
A 7 8|||R:OTHER|||. März|||REQUIRED|||-NONE-|||0
A 10 11|||R:OTHER|||. März|||REQUIRED|||-NONE-|||0

S Ich freue mich schon , dass wir bald uns sehen .
A 7 9|||R:WO|||uns bald|||REQUIRED|||-NONE-|||0

S Die wohnung kann eine Bade Zimmer ein Schlaf Zimmer eine Küche .
A 4 5|||R:NOUN|||Badezimmer|||REQUIRED|||-NONE-|||0
A 8 9|||R:OTHER|||,|||REQUIRED|||-NONE-|||0

S Zur Zeit arbeite ich als Vermittlerin bei der Tageselternverein in Stadt X .
A 7 8|||R:DET:FORM|||dem|||REQUIRED|||-NONE-|||0

S Bahnhofsstraße , Nr . 13 3400 Stadt X Bulgarien Au-Pairsglobal Bahnhofstr .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Meine nächste Frage ist , ob ich eine Deutschsprahdiplom brauche , nachdem ich an einem Fremdsprachgymnasium intensiv Deutsch gelernt habe .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Mit freundlichen Grüßen Maria Meier
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Der Wohnungsmarkt in Stadt X ist im moment von Angeboten übergeflüsst .
A 7 8|||R:ORTH|||Moment|||REQUIRED|||-NONE-|||0

S Es gibt einfach zu viel Ligenschaften jeder Art , die zu Verfügung stehen .
A 4 5|||R:DET:FORM|||viele|||REQUIRED|||-NONE-|||0

S Dafür sind die Mietten und Kaufpreisen im Stadt X-Land hochgestiegen und im Stadt X wesentlich gesunken .
A 3 4|||R:SPELL|||Mieten|||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:FORM|||Kaufpreise|||REQUIRED|||-NONE-|||0
A 11 12|||R:ADP|||in|||REQUIRED|||-NONE-|||0

S Alle diese Aspeckte muss man auschlisslich gut beachten , wenn mann auf der Suche nach einer Mitwohnung ist oder man uberlegt , Einfamilienhaus zu kaufen .
A 10 11|||R:OTHER|||man|||REQUIRED|||-NONE-|||0
A 19 19|||M:SCONJ|||wenn|||REQUIRED|||-NONE-|||0
A 22 22|||M:DET|||ein|||REQUIRED|||-NONE-|||0

S Für die Leute , die eher sich als Eigentumer vorstellen können , kann ich auch ein paar Tipps geben .
A 8 9|||R:SPELL|||Eigentümer|||REQUIRED|||-NONE-|||0

S Man muss in Kauf nehmen , dass man ursprünglichen Hintergrund hat .
A 8 8|||M:DET|||einen|||REQUIRED|||-NONE-|||0

S Meiner Meinung nach , wenn man lang im Ausland bleiben möchte , wäre es sinnvoll die Kultur und Bräuche des Landes kennenzulernen .
A 15 15|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S Einzimmer - und Studiowohnungen sind mehr einfacher zu finden .
A 5 6|||U:ADV||||||REQUIRED|||-NONE-|||0

S Für Familien ist das auf der anderen Seite viel wichtiger .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

