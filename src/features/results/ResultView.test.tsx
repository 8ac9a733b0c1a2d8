import { expect, test, vi } from 'vitest';
import type { AttemptResult, ItemVerdict } from '#contract/results.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import { render } from '#app/ui/test-render.tsx';
import { ResultView } from './ResultView.tsx';
import { finishedResult } from './test-result.ts';
import { VerdictPill } from './VerdictPill.tsx';

vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

const NOW = Date.parse('2026-05-22T08:05:00Z');
const PENDING = { gradedMaxScore: 36, pendingNumbers: [17] };

async function shownFor(
  changes: Partial<AttemptResult>,
  viewerId = finishedResult.userId,
): Promise<string> {
  const device = { serverNow: () => NOW, timeZone: 'Europe/Moscow' } as DeviceServices;
  const { container, unmount } = await render(
    <DeviceContext value={device}>
      <ResultView result={{ ...finishedResult, ...changes }} viewerId={viewerId} />
    </DeviceContext>,
  );
  const words = container.textContent.replaceAll('\u00A0', ' ');
  await unmount();
  return words;
}

test('a mark with every grade is «Результат»', async () => {
  const words = await shownFor({});
  expect(words).toMatch(/^Результат\s*29\s*из 40 баллов/);
  expect(words).not.toMatch(/Предварительный|На проверке|добавить/);
});

test.each([
  [PENDING, 'Преподаватель может добавить ещё до 4 баллов. Всего за тест 40.'],
  // A question without points is not graded either.
  [{ pendingNumbers: [17] }, 'На проверке: вопрос 17'],
  [{ gradedMaxScore: 36 }, 'из 36 проверенных баллов'],
])('without a grade (%j) it is «Предварительный результат»', async (changes, sentence) => {
  const words = await shownFor(changes);
  expect(words).toMatch(/^Предварительный результат\s*29/);
  expect(words).toContain(sentence);
});

test.each([
  [{ end: null }, 'Баллы появятся, когда всё дойдёт до сервера. Ждём до 11:22.'],
  [{ state: 1, end: null }, 'Попытка ещё идёт. Баллы появятся после неё.'],
  [{}, 'Баллы за этот тест сейчас не показываются. Когда их показать, решает преподаватель.'],
] as const)('no points yet, as %j: it says when they come', async (changes, sentence) => {
  const words = await shownFor({ ...changes, score: null });
  expect(words).toContain(sentence);
  expect(words).not.toMatch(/Результат|из 40/);
});

test('answers that wait for a decision are not called counted', async () => {
  expect(await shownFor({ held: 2 })).toContain(
    '2 ответа ждут решения преподавателя и пока не засчитаны.',
  );
  const late = await shownFor({ receivedLate: 1, scoreWithoutLate: 27 });
  expect(late).toContain('1 ответ дошёл после срока и засчитан. Без поздних ответов: 27 баллов.');
});

test.each([
  [null, 'не показываются'],
  ['2026-05-22T08:05:00Z', 'уже доступны'],
  ['2026-05-22T15:00:00Z', 'сегодня с 18:00'],
])('correct answers from %s: %s', async (correctAnswersFrom, words) => {
  expect(await shownFor({ correctAnswersFrom })).toContain(`Верные ответы${words}`);
});

test('the name and the last arrival are for the teacher', async () => {
  for (const words of ['Анна Кузнецова', 'Последний ответ дошёл']) {
    expect(await shownFor({}, 'teacher')).toContain(words);
    expect(await shownFor({})).not.toContain(words);
  }
});

test.each<[ItemVerdict, string]>([
  ['right', 'Верно'],
  ['partial', 'Частично верно'],
  ['wrong', 'Неверно'],
  ['unanswered', 'Без ответа'],
  ['pending', 'На проверке'],
])('the verdict «%s» reads «%s»', async (verdict, words) => {
  const { container, unmount } = await render(<VerdictPill verdict={verdict} />);
  expect(container.textContent).toBe(words);
  await unmount();
});
