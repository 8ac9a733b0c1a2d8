import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { DeviceContext, type Device } from '#app/offline/device-context.ts';
import type { AttemptView, QuestionView, Stage } from '#app/outbox/types.ts';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { useAnswering, type Answering } from './use-answering.ts';

let drawn: Rendered | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await drawn?.unmount();
  drawn = undefined;
});

const savedText = (text: string, stage: Stage): QuestionView =>
  ({
    questionId: 'q',
    answer: { questionId: 'q', kind: 'open', text },
    stage,
    at: 1,
  }) as QuestionView;

test.each(['device', 'server'] as const)(
  'typed text that is not stored yet does not stand beside «saved» of the text before it: %s',
  async (stage) => {
    vi.useFakeTimers();
    const draw = vi.fn<(answering: Answering) => null>(() => null);
    const answer = vi.fn<Device['outbox']['answer']>();
    const view = { attemptId: 'a', readOnly: null } as AttemptView;
    const Probe = () => draw(useAnswering(view));
    drawn = await render(
      <DeviceContext value={{ outbox: { answer } } as unknown as Device}>
        <Probe />
      </DeviceContext>,
    );
    const answering = () => draw.mock.lastCall?.[0];
    const before = savedText('4', stage);
    expect(answering()?.shown(before)).toEqual(before);

    await act(async () => answering()?.type('q', '4,9'));
    expect(answering()?.textOf(before)).toBe('4,9');
    expect(answering()?.shown(before)).toMatchObject({ stage: 'none', at: null });

    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(answer).toHaveBeenCalledOnce();
    expect(answering()?.shown(savedText('4,9', stage))).toMatchObject({ stage, at: 1 });
  },
);
