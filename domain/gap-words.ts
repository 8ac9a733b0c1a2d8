import type { Gap } from '#contract/questions.ts';

/** Gives each gap with a choice the words of all of them. What is right in a gap stays so; a new word is wrong there. */
export function withSharedWords(gaps: readonly Gap[], newId: () => string): Gap[] {
  const words = new Set(
    gaps
      .flatMap((gap) => (gap.input === 'choice' ? gap.options.map(({ text }) => text.trim()) : []))
      .filter((text) => text !== ''),
  );
  return gaps.map((gap) => {
    if (gap.input !== 'choice') return gap;
    const options = [...words].map(
      (text) =>
        gap.options.find((option) => option.text.trim() === text) ?? {
          optionId: newId(),
          text,
          isRight: false,
        },
    );
    return { ...gap, options };
  });
}
