import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { isCommonPassword, isCommonPasswordOf } from './common-passwords.ts';

const split = (text: string): readonly string[] => text.trim().split(/\s+/);
const accepted = (passwords: readonly string[]): readonly string[] =>
  passwords.filter((password) => !isCommonPassword(password));

test.each([
  ['a word and a year', 'Parol2026 Moskva2026 Zenit2026 Uchitel2026 Klass2026 Shkola57 Pobeda1945'],
  ['months and seasons', 'Yanvar2026 Janvar2026 Sentyabr2025 Sentjabr1 Vesna2026 Osen2026'],
  [
    'cities',
    'Sochi2014 Tyumen72 Tumen72 Chelyabinsk174 Sankt-Peterburg2026 Novosibirsk54 Rossija1',
  ],
  [
    'words that are folded to few letters, or to much fewer',
    'Iyun2026 Ijun2026 Iyul2026 Ijul2026 Июнь2026 Июль2026 Якутск2026 Иркутск2026 Новороссийск1 Биология2026 Английский1',
  ],
  [
    'regions and their capitals',
    `Petrozavodsk1 Syktyvkar2026 Siktivkar2026 Благовещенск1 Йошкар-Ола2026 Hanty-Mansijsk1 Tatarstan2026 Якутия2026
     NizhniyTagil1 Nizhnij-Tagil2026 Pyatigorsk2026 Pjatigorsk1`,
  ],
  [
    'words of lessons',
    'Teorema2026 Uravnenie1 Treugolnik2026 Квадрат2026 Integral2026 Logarifm2026',
  ],
  [
    'clubs',
    'Spartak1922 Dinamo1923 Lokomotiv7 Lokomotiv2026 Cska1911 AkBars2026 Ak-Bars1 Barselona10',
  ],
  ['names', 'Aleksandr2010 Alexandr2010 Evgeniy1 Evgenij1 Evgeny1 Artyom7 Artem7 Mihail5 Mikhail5'],
  [
    'diminutives',
    'Nastenka2012 Mashenka1 Sashka12 Ksyusha2026 Alyosha2 Serega2009 Zhenya2011 Jenya2011',
  ],
  ['surnames and patronymics', 'Ivanova1987 Kuznetsov1 Kuznecov1 Sergeevich2026 Petrovna1960'],
  ['subjects', 'Matematika5 Fizika11 Himiya9 Khimiya9 Istoria2026 Informatika1 Fizra2026 Ege2026'],
  ['cartoons', 'Cheburashka2026 Smeshariki1 Luntik2015 VinniPuh1 NuPogodi7 Nu_Pogodi7 Karlson3'],
  ['love', 'Lyubov2026 Ljubov2026 Lubov14 YaTebyaLublu1 Lyublyu_Mashu1 Solnyshko7 Lubimaya2026'],
  [
    'the other layout',
    'Gfhjkm2026 Vjcrdf2026 Ptybn2026 Exbntkm2026 Ktnj2026 K.,jdm2026 Gfhjkm2026!',
  ],
  ['Russian letters and a capital for the form', 'пароль2026A Пароль2026Q Aмосква2026'],
  ['digits and signs before, after and around', '2026Parol !Parol2026! 12Zenit34 *Moskva*2026*'],
  [
    'dates and runs',
    'Masha01012010 Masha010110 Dima20101231 Zenit12345678 Zenit777777 Parol!@#$%^&*1',
  ],
  [
    'letters as digits and signs',
    'P@rol2026 M0skva2026 M0skv@2026! Z3n1t2026 6kola2026 4empion2026',
  ],
  ['case', 'ZENIT2026 zeniT2026 mOsKvA2026 pAROL2026'],
  ['two words', 'SpartakMoskva1922 IvanPetrov2026 MamaPapa1 ParolParol1 MashaLove1 Katya_Olya7'],
  ['a letter or two more', 'Zenit2026Qq AMoskva2026 Parol2026z'],
  ['English words with the same around them', '2026Dragon Dr@gon2019 !Monkey7'],
])('refuses %s', (_, passwords) => {
  expect(accepted(split(passwords))).toEqual([]);
});

test('refuses the names and addresses of the person and of the school', () => {
  const context = [
    'Шереметьева Аглая',
    'tigrovnik@gymnasium-kedr.test',
    'https://tests.kedrovka.ru',
  ];
  const own = split(
    'Sheremetyeva2026 Sheremeteva1 Aglaya2012 Aglaja2012 Tigrovnik1 Gymnasium57 Kedrovka2026 AglayaTigrovnik1',
  );
  expect(own.filter((password) => !isCommonPasswordOf(context, password))).toEqual([]);
  expect(accepted(own)).toEqual(own);
});

test('accepts strong passwords, also those with easy words in them', () => {
  const strong = split(`
    Kolokol7 Podsnezhnik4 Rabutene482 Rapolidu-48271 Tr0ub4dor&3x9 correct-Horse-battery-staple-7 gJ8wq2Xz
    Korova-Lampa-Zabor-7 Vb7#kQz!pL2 Zelenyj-Slon-Letit-47 SinijTraktorEdet-93751 Moskva-Q7x-93kd Hv3Nk9Tr
    Nochnoj_Ekspress_812 Kp4vXz9m Lampa-Zabor-58 Okno.Stena.Dver.19 ZaborPolosatyj-84 Ulitka.Edet.V.Tramvae.3
    MoyaKoshkaSpitNaOkne5 VchetvergBylDozhd8 Xw9-Lk2-Pq7 A7f3d9e1c5b8 7Kefirnyh!Oblakov S3cur3-L0ng-Phr4se-77
    yT6$wP1!zR8& PyatZhiraf0vNaLune Synyaya-Ptica7 Zenit-48271-Q9x Masha739184625 Parol#7%2^9!x`);
  expect(strong.filter((password) => isCommonPassword(password))).toEqual([]);
});

test('accepts ten thousand random passwords of ten signs, but for a few that happen to be words', () => {
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const random = Array.from({ length: 10_000 }, () =>
    Array.from({ length: 10 }, () => signs.charAt(randomInt(signs.length))).join(''),
  );
  expect(random.filter((password) => isCommonPassword(password)).length).toBeLessThanOrEqual(5);
});
