import { expect, test, vi } from 'vitest';
import { render } from '#app/ui/test-render.tsx';
import { PreviewItem } from './PreviewItem.tsx';

vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

const ID = '01900000-0000-7000-8000-000000000001';

test.each([true, false])(
  'an answer is labelled «Получено позже» if it arrived late: %s',
  async (late) => {
    const { container, unmount } = await render(
      <PreviewItem
        item={{
          number: 1,
          question: {
            questionId: ID,
            kind: 'open',
            input: 'line',
            text: 'Единица силы?',
            points: 2,
          },
          answer: { questionId: ID, kind: 'open', text: 'Ньютон' },
          answered: true,
          receivedLate: late,
          points: null,
          verdict: null,
          comment: null,
        }}
        shows={{ ownAnswers: true, points: false, correctAnswers: false }}
        owner="own"
      />,
    );
    expect(container.querySelector('header')?.textContent?.includes('Получено позже')).toBe(late);
    await unmount();
  },
);
