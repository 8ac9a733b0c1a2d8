import { createRequire } from 'node:module';
import type * as LanguageCommon from '@zxcvbn-ts/language-common';
import type { Settings } from '#server/deps.ts';
import { invalid } from '#server/http/refusal.ts';
import { inLatinLayout } from './keyboard-layouts.ts';
import { isWordPassword } from './word-passwords.ts';

/** The commonest ones that satisfy the registration form, with years and clubs that the list lacks. */
const OURS = new Set(
  `password1 password12 password123 password1234 password01 passw0rd passw0rd1 p4ssw0rd p4ssword1
   qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyuiop1 qwertyu1 qwert1 qwert12 qwert123
   qwert12345 1qaz2wsx 1qaz2wsx3edc 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3 q1w2e3r4 q1w2e3r4t5 qaz123
   qazwsx1 qazwsx12 qazwsx123 zaq12wsx zaq1zaq1 zaq1xsw2 asdfgh1 asdf1234 asdfghjkl1 asd123 asdqwe123 qweasd1 qweasd123
   qweasdzxc1 qwe123 qwe1234 qwe12345 zxcvbnm1 zxcvbn1 zxc123 zxcv1234 abc123 abc1234 abc12345 abc123456 abcd1234
   abcd123 abcde1 abcdef1 a123456 a1234567 a12345678 a123456789 a1b2c3 a1b2c3d4 aa123456 aa12345678 aaa111 111aaa
   aaaaa1 aaaaaa1 123456a 1234567a 12345678a 123456789a 123456q 12345q 123qwe 123qweasd 1234qwer 12345qwert
   123abc 123asd 123zxc 321ewq 123456qwerty q123456 q1234567 q12345678 q123456789 q12345 w123456 z123456 s123456
   admin1 admin12 admin123 admin1234 admin2024 admin2025 administrator1 root123 user123 user1234 guest1 guest123
   test12 test123 test1234 test12345 tester1 demo123 demo1234 student1 student12 student123 student1234 teacher1
   teacher123 school1 school12 school123 school2024 school2025 school2026 welcome1 welcome12 welcome123 letmein1
   letmein123 iloveyou1 iloveyou2 iloveyou12 loveyou1 love123 love1234 sunshine1 princess1 princess12 monkey1 monkey12
   monkey123 dragon1 dragon12 dragon123 football1 football12 baseball1 basketball1 hockey1 spartak1 spartak1922 zenit1
   zenit2008 cska1911 moscow1 moscow77 moscow2024 moscow2025 moskva1 moskva77 russia1 russia123 russia2024 russia2025
   master1 master123 superman1 batman1 batman123 naruto1 naruto123 pokemon1 minecraft1 minecraft123 roblox1 roblox123
   gfhjkm1 gfhjkm12 gfhjkm123 gfhjkm1234 ghbdtn1 ghbdtn12 ghbdtn123 k.,jdm1 vfhbyf1 yfnfif1 cfif123 vfif123 vfvf123
   gbplf1 gbplf123 ljcnfnm1 fktrcfylh1 fylhtq1 fylhtq123 cthutq1 cthutq123 vfrcbv1 vfrcbv123 lbvf123 yfcnz1 yfcnz123
   parol1 parol12 parol123 parol1234 parol12345 privet1 privet12 privet123 lubov1 lyubov1 natasha1 nastya1 nastya123
   sasha1 sasha123 masha1 masha123 dima123 misha1 misha123 andrey1 andrey123 sergey1 sergey123 maksim1 maxim1 maxim123
   alex123 alex1234 alexander1 daniel1 danila1 kirill1 kirill123 ivan123 ivanov1 anna123 olga123 elena1 elena123 katya1
   katya123 samsung1 samsung123 apple1 apple123 iphone1 google1 google123 yandex1 yandex123 vkontakte1 computer1 internet1
   changeme1 secret1 secret123 access1 hello1 hello12 hello123 summer1 summer2024 summer2025 winter1 winter2024 winter2025
   spring2025 spring2026 autumn2025 shadow1 killer1 killer123 michael1 jordan1 jordan23 charlie1 jessica1 ashley1 trustno1
   whatever1 starwars1 freedom1 ninja123 mustang1 pass123 pass1234 pass12345 passwort1 letmein2 zxcvb123 1234abcd`
    .split(/\s+/)
    .filter(Boolean),
);

const require = createRequire(import.meta.url);

/** Number of listed passwords that are also tested with digits after them. */
const BASES = 5_000;

interface PasswordLists {
  /** Some 49,000, compared as a whole. */
  readonly passwords: ReadonlySet<string>;
  /** The commonest of them: a few digits at their end do not make them better. */
  readonly bases: ReadonlySet<string>;
}

let lists: PasswordLists | undefined;

/** Loaded when the first password is checked: most starts of the server check none. */
function readLists(): PasswordLists {
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof LanguageCommon;
  // Sorted by frequency, the commonest first.
  const ordered = dictionary['passwords-common'];
  return { passwords: new Set(ordered), bases: new Set(ordered.slice(0, BASES)) };
}

const SIGNS_AT_END = /[^\p{L}\d]+$/u;
/** A year, «1», «123»: typical suffixes when a form requires a digit. */
const FIGURES_AT_END = /\d{1,4}$/;
const MIN_BASE = 3;

function isCommonSpelling(spelling: string, { passwords, bases }: PasswordLists): boolean {
  const whole = spelling.replace(SIGNS_AT_END, '');
  if ([spelling, whole].some((text) => OURS.has(text) || passwords.has(text))) return true;
  const base = whole.replace(FIGURES_AT_END, '').replace(SIGNS_AT_END, '');
  return base.length >= MIN_BASE && bases.has(base);
}

/**
 * Whether attackers try it first: a password of the lists in either keyboard layout, or an easy word with little around
 * it.
 * @param context names and addresses of the person and of the school, which are easy words, too
 */
export function isCommonPasswordOf(context: readonly string[], password: string): boolean {
  lists ??= readLists();
  const { bases } = lists;
  const plain = password.toLowerCase();
  return (
    isCommonSpelling(plain, lists) ||
    isCommonSpelling(inLatinLayout(plain), lists) ||
    isWordPassword(password, context, (letters) => letters.length > MIN_BASE && bases.has(letters))
  );
}

/** The same without a person's context. */
export const isCommonPassword = (password: string): boolean => isCommonPasswordOf([], password);

/** The message at the form's field. */
export const COMMON_PASSWORD = 'Такой пароль легко угадать. Придумайте другой';

/** A new password and its owner, at the field of the form that has it. */
export interface NewPasswordOf {
  readonly password: string;
  readonly field: string;
  readonly userName: string;
  readonly email: string;
}

/**
 * @throws {Refusal} VALIDATION at the field when the password is a common one
 */
export function refuseCommonPassword(
  { settings }: { readonly settings: Pick<Settings, 'publicUrl'> },
  { password, field, userName, email }: NewPasswordOf,
): void {
  const context = [userName, email, settings.publicUrl ?? ''];
  if (isCommonPasswordOf(context, password)) throw invalid([{ field, message: COMMON_PASSWORD }]);
}
