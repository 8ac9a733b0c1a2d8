import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inProject } from '#scripts/lib/project.mjs';
import { FORM_KINDS, WIRE_KINDS } from '#domain/change-kind.ts';

const FOLDERS = ['contract', 'domain', 'interchange', 'src', 'src-sw', 'server', 'docs/help'];
/** Sample contents, and vocabularies that recognise what other people wrote. */
const NOT_OURS =
  /^(?:server\/demo\/content\/|server\/auth\/russian-words|interchange\/testing\/|interchange\/marked\/patterns)/;

const texts = FOLDERS.flatMap((folder) =>
  readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.(?:tsx?|md)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => !NOT_OURS.test(path))
    .map((path) => ({ path, text: readFileSync(inProject(path), 'utf8') })),
);

/** Comments are for engineers. */
const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

/** Every text for people that matches, as «path: text». */
function find(pattern: RegExp, except: RegExp): string[] {
  return texts
    .filter(({ path }) => !except.test(path))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(pattern)].map(([found]) => `${path}: ${found}`),
    );
}

const KINDS = [...new Set([...FORM_KINDS, ...Object.values(WIRE_KINDS)])].join('|');
const KIND_WITH_NAME = new RegExp(
  String.raw`(?:\b(${KINDS}): |\['(${KINDS})', |\bvalue: '(${KINDS})',\s+label: )['"\`][А-ЯЁа-яё]`,
  'g',
);

const namedKinds = (found: typeof texts) =>
  new Set(
    found.flatMap(({ text }) =>
      [...text.matchAll(KIND_WITH_NAME)].map((match) => match[1] ?? match[2] ?? match[3]),
    ),
  );

test('a kind of question is named by its own folder alone', () => {
  const forms = texts.filter(({ path }) => /^domain\/kinds\/[a-z]+\/forms\.ts$/.test(path));
  expect([...namedKinds(forms)].toSorted()).toEqual([...FORM_KINDS].toSorted());
  const tables = texts.filter((one) => namedKinds([one]).size > 2);
  expect(tables.map(({ path }) => path)).toEqual([]);
});

test('no text gives a kind of question another name', () => {
  const others =
    /открыт(?:ый|ого|ому|ым|ом|ые|ых) (?:ответ|вопрос)|сопоставлени[а-я]+|упорядочени[а-я]+|выбор(?:ом|а)? ответа|(?:множественн|одиночн)[а-я]+ выбор|(?:свободн|кратк|коротк)[а-я]+ ответ|эссе/gi;
  expect(find(others, /^interchange\/table\/kinds\.ts$/)).toEqual([]);
});

test('no text calls a student anything but «ученик»', () => {
  // «Студент» is the badge of the role. Lists of people may use many words for the role.
  const roles =
    /^(?:domain\/(?:labels|role-labels|people-columns)|src\/features\/admin\/import\/(?:judge|outcome)|server\/admin\/import-rows)\.ts$/;
  const others =
    /(?:студент|школьник|учащ(?:ий|ая|ие|его|ей|их|им)|обучающ(?:ий|ая|ие|его|ей|их)|испытуем)[а-яё]*/gi;
  expect(find(others, roles)).toEqual([]);
});

test('no text calls ungraded work anything but «на проверке»', () => {
  const others =
    /(?:жд[её]т|ждут|ждущ[а-яё]+) (?:проверки|оценки)|(?:непровер|неоцен[её]н)[а-яё]*|(?:не|пока не|ещё не) (?:проверен|оцен[её]н)[а-яё]*/gi;
  expect(find(others, /^$/)).toEqual([]);
});
