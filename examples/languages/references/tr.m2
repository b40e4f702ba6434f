S Spor yapıyorum bişolmaz
A 2 2|||M:OTHER|||bir şey|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB|||olmaz|||REQUIRED|||-NONE-|||0
A 3 3|||M:PUNC|||.|||REQUIRED|||-NONE-|||0

S Ekmek almaya çıkmak ne zamandır sipor oldu
A 5 6|||R:SPELL|||spor|||REQUIRED|||-NONE-|||0
A 7 7|||M:PUNC|||?|||REQUIRED|||-NONE-|||0

S Abi kendi dediğine inanıyormusun ?
A 3 4|||R:ORTH|||inanıyor musun|||REQUIRED|||-NONE-|||0

S Yeşilik almaya gitmişler işte ne var bunda ?
A 0 1|||R:SPELL|||Yeşillik|||REQUIRED|||-NONE-|||0

S Buharlasan tek madde sıvı değilmiş onu öğrendik .
A 0 1|||R:SPELL|||Buharlaşan|||REQUIRED|||-NONE-|||0

S Fişne suyu da var .
A 0 1|||R:SPELL|||Vişne|||REQUIRED|||-NONE-|||0

S Peki dunyadan ay'a köprü ?
A 1 2|||R:SPELL|||dünyadan|||REQUIRED|||-NONE-|||0
A 2 3|||U:PUNC|||aya|||REQUIRED|||-NONE-|||0

S Ne yani dişarı çıkabilirmiyiz ?
A 2 3|||R:SPELL|||dışarı|||REQUIRED|||-NONE-|||0
A 3 4|||R:ORTH|||çıkabilir miyiz|||REQUIRED|||-NONE-|||0

S Merak etmeyin güzel günlerde gelecek .
A 3 4|||R:ORTH|||günler de|||REQUIRED|||-NONE-|||0

S Çevriler sinirimi bozuyor .
A 0 1|||R:SPELL|||Çeviriler|||REQUIRED|||-NONE-|||0

S Adini yanlis yazmissiniz
A 0 1|||R:SPELL|||Adını|||REQUIRED|||-NONE-|||0
A 1 2|||R:SPELL|||yanlış|||REQUIRED|||-NONE-|||0
A 2 3|||R:SPELL|||yazmışsınız|||REQUIRED|||-NONE-|||0

S Çok konuşuyom diye sildim
A 1 2|||R:SPELL|||konuşuyorum|||REQUIRED|||-NONE-|||0

S Ah arkadaşlarınızın kıyımetinin bilin dostlar
A 2 3|||R:SPELL|||kıymetini|||REQUIRED|||-NONE-|||0

S Katılmıyom bu görüşünüze
A 0 1|||R:SPELL|||Katılmıyorum|||REQUIRED|||-NONE-|||0

S Adam savaş topunu enstrünman olarak kullanmış
A 3 4|||R:SPELL|||enstrüman|||REQUIRED|||-NONE-|||0

S Format atıyım şuan
A 1 2|||R:VERB:TENSE|||atıyorum|||REQUIRED|||-NONE-|||0
A 2 3|||R:ORTH|||şu an|||REQUIRED|||-NONE-|||0

S Müzikin sesi çok fazla sağır olacağım
A 0 1|||R:SPELL|||Müziğin|||REQUIRED|||-NONE-|||0

S Halbuki ben çok sevmişdim onu
A 3 4|||R:SPELL|||sevmiştim|||REQUIRED|||-NONE-|||0

S Uzmanlar o konu da uyardı
A 2 4|||R:ORTH|||konuda|||REQUIRED|||-NONE-|||0

S Ne anlarsınki zaten sen sanattan
A 1 2|||R:ORTH|||anlarsın ki|||REQUIRED|||-NONE-|||0

S ateşin varsa içmen grek zaten
A 0 1|||R:ORTH|||Ateşin|||REQUIRED|||-NONE-|||0
A 3 4|||R:SPELL|||gerek|||REQUIRED|||-NONE-|||0

S Başkanım benide alsana yanına .
A 1 2|||R:ORTH|||beni de|||REQUIRED|||-NONE-|||0

S Gözlerin de boş bir bakış var .
A 0 2|||R:ORTH|||Gözlerinde|||REQUIRED|||-NONE-|||0

S Uğraştırdı biraz ama en sonun da bitti .
A 4 6|||R:ORTH|||sonunda|||REQUIRED|||-NONE-|||0

S 500 kilometre mesafe ile dünyanın en uzun sahili sahip ülke Fas'tır .
A 7 8|||R:NOUN:INFL|||sahiline|||REQUIRED|||-NONE-|||0

S Herkes kendi ülkesi üst seviyelerde görmek ister .
A 2 3|||R:NOUN:INFL|||ülkesini|||REQUIRED|||-NONE-|||0

S Bence çevreyi korumaliyiz ve ormanlari çoğaltmaliyiz .
A 2 3|||R:SPELL|||korumalıyız|||REQUIRED|||-NONE-|||0
A 4 5|||R:SPELL|||ormanları|||REQUIRED|||-NONE-|||0
A 5 6|||R:SPELL|||çoğaltmalıyız|||REQUIRED|||-NONE-|||0

S Bence dünyada salgın hastalıkların oldumağı yer mümkündür .
A 4 5|||R:OTHER|||olmadığı|||REQUIRED|||-NONE-|||0

S Dünyamızı yaşanmaz yapayan sebeplerinden biri salgın hastalıklardır .
A 2 3|||R:OTHER|||yapan|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:INFL|||sebeplerden|||REQUIRED|||-NONE-|||0

S Beş yıl önce saçlarım simsiyahtım .
A 4 5|||R:VERB:SVA|||simsiyahtı|||REQUIRED|||-NONE-|||0

S Hayır , erkekler zaman yok .
A 2 3|||R:NOUN:INFL|||erkeklerin|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:POSS|||zamanı|||REQUIRED|||-NONE-|||0

S Ben Gazi Üniversitesi okumak istiyorum .
A 2 3|||R:NOUN:INFL|||Üniversitesinde|||REQUIRED|||-NONE-|||0

S Endonezya müziğini takıyorum .
A 2 3|||R:VERB|||dinliyorum|||REQUIRED|||-NONE-|||0

S İnsan okudukça okudukça olgunlaşıyor .
A 1 2|||U:ADV||||||REQUIRED|||-NONE-|||0

S Medyada en çok konuşan sorun göçtür .
A 3 4|||R:ADJ|||konuşulan|||REQUIRED|||-NONE-|||0

S Macaristan'da deniz değil .
A 2 3|||R:VERB|||yok|||REQUIRED|||-NONE-|||0

S Şu an meşglüm ama
A 2 3|||R:SPELL|||meşgulüm|||REQUIRED|||-NONE-|||0

S Özgur medya bitti parali medya basladı
A 0 1|||R:SPELL|||Özgür|||REQUIRED|||-NONE-|||0
A 3 4|||R:SPELL|||paralı|||REQUIRED|||-NONE-|||0
A 5 6|||R:SPELL|||başladı|||REQUIRED|||-NONE-|||0

S yardımcı olabiliruim
A 1 2|||R:SPELL|||olabilirim|||REQUIRED|||-NONE-|||0

S bitmek bilmeyen bir zülüm
A 3 4|||R:SPELL|||zulüm|||REQUIRED|||-NONE-|||0

S Ben üç yıl önce 32 yaşındadım .
A 5 6|||R:VERB:INFL|||yaşındaydım|||REQUIRED|||-NONE-|||0

S Bazı meslekler iş yok .
A 1 2|||R:NOUN:INFL|||mesleklerde|||REQUIRED|||-NONE-|||0

S Ankara'yı geliyorum .
A 0 1|||R:NOUN:INFL|||Ankara'ya|||REQUIRED|||-NONE-|||0

S Her ülke , dünya devletleri arasında önemli bir yer edinmek için , ekonomik açıdan gelişmesi gerekir .
A 1 2|||R:NOUN:INFL|||ülkenin|||REQUIRED|||-NONE-|||0

S Senin en beğendiğim yanın , derslerine düzenli çalıştığındır .
A 7 8|||R:VERB:INFL|||çalışmandır|||REQUIRED|||-NONE-|||0

S Bütün yemekleri hazırlayıp bir kenara koyulmalıdır .
A 1 2|||R:NOUN:INFL|||yemekler|||REQUIRED|||-NONE-|||0
A 2 3|||R:ADV|||hazırlanıp|||REQUIRED|||-NONE-|||0
A 3 3|||M:PUNC|||,|||REQUIRED|||-NONE-|||0

S Hafta sonu sinemaya gittik , film izlendi .
A 6 7|||R:VERB:INFL|||izledik|||REQUIRED|||-NONE-|||0

S Yazarlarımızın köy yaşantısına ilgilenmeleri toplumumuz açısından çok yararlıdır .
A 2 3|||R:OTHER|||yaşantısıyla|||REQUIRED|||-NONE-|||0

S Dünyamızda her tür insanlar yaşıyor .
A 3 4|||R:NOUN:NUM|||insan|||REQUIRED|||-NONE-|||0

S Burada sadece Türklar ve çok yabancılarıyla buluşum .
A 2 3|||R:NOUN:INFL|||Türkler|||REQUIRED|||-NONE-|||0
A 4 5|||U:ADV||||||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:INFL|||yabancılarla|||REQUIRED|||-NONE-|||0
A 6 7|||R:SPELL|||buluştum|||REQUIRED|||-NONE-|||0

S Dünyada bazı insanlar var ki onun hayatında kötü şeyler geliyor zurunda kalıyor ve düşünmiyor .
A 5 6|||R:NOUN:NUM|||onların|||REQUIRED|||-NONE-|||0
A 9 12|||R:OTHER|||oluyor|||REQUIRED|||-NONE-|||0
A 13 13|||M:OTHER|||onlar hiç|||REQUIRED|||-NONE-|||0
A 13 14|||R:SPELL|||düşünmüyor|||REQUIRED|||-NONE-|||0

S Çünkü her insanlar senden bir yanlış bekliyorlar .
A 2 3|||R:NOUN:NUM|||insan|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:SVA|||bekliyor|||REQUIRED|||-NONE-|||0

S Her açılardan baktım ve hangi doğru hangi yanlış bildim .
A 10 10|||R:NOUN:NUM|||açıdan|||REQUIRED|||-NONE-|||0
A 10 10|||R:NOUN:POSS|||hangisi|||REQUIRED|||-NONE-|||0
A 10 10|||R:NOUN:POSS|||hangisi|||REQUIRED|||-NONE-|||0

S Bu mecazi dünyada her insan biliyorlar .
A 1 2|||R:SPELL|||mecazı|||REQUIRED|||-NONE-|||0
A 2 3|||R:OTHER|||dünyadaki|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:SVA|||biliyor|||REQUIRED|||-NONE-|||0

S Çünkü o ne yapıyor yani ben kabul ediyorum ve zamanlarla bu davranışlar alışacağım ve sonra aynı davranışlar yapacağım .
A 3 5|||R:VERB:INFL|||yaparsa|||REQUIRED|||-NONE-|||0
A 9 10|||R:NOUN:NUM|||zamanla|||REQUIRED|||-NONE-|||0
A 11 12|||R:NOUN:INFL|||davranışlara|||REQUIRED|||-NONE-|||0
A 16 17|||R:NOUN:INFL|||davranışları|||REQUIRED|||-NONE-|||0
A 17 18|||R:VERB|||göstereceğim|||REQUIRED|||-NONE-|||0

S Bu ülkelerde insanlar çok ağrıyor çünkü güveni yok ve umutsuz .
A 4 5|||R:VERB|||acı çekiyor|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:NUM|||güvenleri|||REQUIRED|||-NONE-|||0
A 9 10|||R:NOUN:NUM|||umutsuzlar|||REQUIRED|||-NONE-|||0

S Birinci develet araç lazım ve bunlar araç ucuz fiyat ve temiz .
A 0 1|||R:NOUN:POSS|||Birincisi|||REQUIRED|||-NONE-|||0
A 1 2|||R:SPELL|||devlete|||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:NUM|||bu|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:NUM|||araçlar|||REQUIRED|||-NONE-|||0
A 8 9|||R:OTHER|||fiyatlı|||REQUIRED|||-NONE-|||0
A 11 11|||M:VERB|||olmalı|||REQUIRED|||-NONE-|||0

S Günümüzde internette çok şeyler var .
A 3 4|||R:NOUN:NUM|||şey|||REQUIRED|||-NONE-|||0

S Savaiştan nedeniyle Suriye'de ve başka ülkelerde okulların bazısı kapatıldı .
A 0 1|||R:SPELL|||Savaş|||REQUIRED|||-NONE-|||0
A 7 8|||R:NOUN:NUM|||bazıları|||REQUIRED|||-NONE-|||0

S Son yıllarda dünyada çok fazla hastalıklar var .
A 5 6|||R:NOUN:NUM|||hastalık|||REQUIRED|||-NONE-|||0

