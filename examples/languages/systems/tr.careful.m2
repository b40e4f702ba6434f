S Spor yapıyorum bişolmaz
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ekmek almaya çıkmak ne zamandır sipor oldu
A 7 7|||M:PUNC|||?|||REQUIRED|||-NONE-|||0

S Abi kendi dediğine inanıyormusun ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Yeşilik almaya gitmişler işte ne var bunda ?
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Buharlasan tek madde sıvı değilmiş onu öğrendik .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Fişne suyu da var .
A 0 1|||R:SPELL|||Vişne|||REQUIRED|||-NONE-|||0

S Peki dunyadan ay'a köprü ?
A 1 2|||R:SPELL|||dünyadan|||REQUIRED|||-NONE-|||0
A 2 3|||U:PUNC|||aya|||REQUIRED|||-NONE-|||0

S Ne yani dişarı çıkabilirmiyiz ?
A 2 3|||R:SPELL|||dışarı|||REQUIRED|||-NONE-|||0

S Merak etmeyin güzel günlerde gelecek .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Çevriler sinirimi bozuyor .
A 0 1|||R:SPELL|||Çeviriler|||REQUIRED|||-NONE-|||0

S Adini yanlis yazmissiniz
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Çok konuşuyom diye sildim
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ah arkadaşlarınızın kıyımetinin bilin dostlar
A 2 3|||R:SPELL|||kıymetini|||REQUIRED|||-NONE-|||0

S Katılmıyom bu görüşünüze
A 0 1|||R:SPELL|||Katılmıyorum|||REQUIRED|||-NONE-|||0

S Adam savaş topunu enstrünman olarak kullanmış
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Format atıyım şuan
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Müzikin sesi çok fazla sağır olacağım
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Halbuki ben çok sevmişdim onu
A 3 4|||R:SPELL|||sevmiştim|||REQUIRED|||-NONE-|||0

S Uzmanlar o konu da uyardı
A 2 4|||R:ORTH|||konuda|||REQUIRED|||-NONE-|||0

S Ne anlarsınki zaten sen sanattan
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S ateşin varsa içmen grek zaten
A 0 1|||R:ORTH|||Ateşin|||REQUIRED|||-NONE-|||0

S Başkanım benide alsana yanına .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Gözlerin de boş bir bakış var .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Uğraştırdı biraz ama en sonun da bitti .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S 500 kilometre mesafe ile dünyanın en uzun sahili sahip ülke Fas'tır .
A 7 8|||R:NOUN:INFL|||sahiline|||REQUIRED|||-NONE-|||0

S Herkes kendi ülkesi üst seviyelerde görmek ister .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Bence çevreyi korumaliyiz ve ormanlari çoğaltmaliyiz .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Bence dünyada salgın hastalıkların oldumağı yer mümkündür .
A 4 5|||R:OTHER|||olmadığı|||REQUIRED|||-NONE-|||0

S Dünyamızı yaşanmaz yapayan sebeplerinden biri salgın hastalıklardır .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Beş yıl önce saçlarım simsiyahtım .
A 4 5|||R:VERB:SVA|||simsiyahtı|||REQUIRED|||-NONE-|||0

S Hayır , erkekler zaman yok .
A 2 3|||R:NOUN:INFL|||erkeklerin|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:POSS|||zamanı|||REQUIRED|||-NONE-|||0

S Ben Gazi Üniversitesi okumak istiyorum .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Endonezya müziğini takıyorum .
A 2 3|||R:VERB|||dinliyorum|||REQUIRED|||-NONE-|||0

S İnsan okudukça okudukça olgunlaşıyor .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Medyada en çok konuşan sorun göçtür .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Macaristan'da deniz değil .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Şu an meşglüm ama
A 2 3|||R:SPELL|||meşgulüm|||REQUIRED|||-NONE-|||0

S Özgur medya bitti parali medya basladı
A 3 4|||R:SPELL|||paralı|||REQUIRED|||-NONE-|||0

S yardımcı olabiliruim
A 1 2|||R:SPELL|||olabilirim|||REQUIRED|||-NONE-|||0

S bitmek bilmeyen bir zülüm
A 3 4|||R:SPELL|||zulüm|||REQUIRED|||-NONE-|||0

S Ben üç yıl önce 32 yaşındadım .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Bazı meslekler iş yok .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Ankara'yı geliyorum .
A 0 1|||R:NOUN:INFL|||Ankara'ya|||REQUIRED|||-NONE-|||0

S Her ülke , dünya devletleri arasında önemli bir yer edinmek için , ekonomik açıdan gelişmesi gerekir .
A 1 2|||R:NOUN:INFL|||ülkenin|||REQUIRED|||-NONE-|||0

S Senin en beğendiğim yanın , derslerine düzenli çalıştığındır .
A 7 8|||R:VERB:INFL|||çalışmandır|||REQUIRED|||-NONE-|||0

S Bütün yemekleri hazırlayıp bir kenara koyulmalıdır .
A 2 3|||R:ADV|||hazırlanıp|||REQUIRED|||-NONE-|||0
A 3 3|||M:PUNC|||,|||REQUIRED|||-NONE-|||0

S Hafta sonu sinemaya gittik , film izlendi .
A 6 7|||R:VERB:INFL|||izledik|||REQUIRED|||-NONE-|||0

S Yazarlarımızın köy yaşantısına ilgilenmeleri toplumumuz açısından çok yararlıdır .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Dünyamızda her tür insanlar yaşıyor .
A 3 4|||R:NOUN:NUM|||insan|||REQUIRED|||-NONE-|||0

S Burada sadece Türklar ve çok yabancılarıyla buluşum .
A 4 5|||U:ADV||||||REQUIRED|||-NONE-|||0

S Dünyada bazı insanlar var ki onun hayatında kötü şeyler geliyor zurunda kalıyor ve düşünmiyor .
A 5 6|||R:NOUN:NUM|||onların|||REQUIRED|||-NONE-|||0

S Çünkü her insanlar senden bir yanlış bekliyorlar .
A 6 7|||R:VERB:SVA|||bekliyor|||REQUIRED|||-NONE-|||0

S Her açılardan baktım ve hangi doğru hangi yanlış bildim .
A 10 10|||R:NOUN:POSS|||hangisi|||REQUIRED|||-NONE-|||0

S Bu mecazi dünyada her insan biliyorlar .
A 5 6|||R:VERB:SVA|||biliyor|||REQUIRED|||-NONE-|||0

S Çünkü o ne yapıyor yani ben kabul ediyorum ve zamanlarla bu davranışlar alışacağım ve sonra aynı davranışlar yapacağım .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Bu ülkelerde insanlar çok ağrıyor çünkü güveni yok ve umutsuz .
A 4 5|||R:VERB|||acı çekiyor|||REQUIRED|||-NONE-|||0

S Birinci develet araç lazım ve bunlar araç ucuz fiyat ve temiz .
A 5 6|||R:NOUN:NUM|||bu|||REQUIRED|||-NONE-|||0
A 11 11|||M:VERB|||olmalı|||REQUIRED|||-NONE-|||0

S Günümüzde internette çok şeyler var .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Savaiştan nedeniyle Suriye'de ve başka ülkelerde okulların bazısı kapatıldı .
A 0 1|||R:SPELL|||Savaş|||REQUIRED|||-NONE-|||0

S Son yıllarda dünyada çok fazla hastalıklar var .
A 5 6|||R:NOUN:NUM|||hastalık|||REQUIRED|||-NONE-|||0

