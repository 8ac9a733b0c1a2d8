import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { sectionsOf, topicOf, TOPICS } from './topics.ts';

describe('a page of the help', () => {
  test('is found by the last path segment; another value yields none', () => {
    expect(topicOf('teacher')?.title).toBe('Преподавателю');
    expect(topicOf('director')).toBeNull();
    expect(topicOf(null)).toBeNull();
  });

  test('is split into an introduction and one section per heading', () => {
    expect(
      sectionsOf('# Имя\n\nСначала.\n\n## Раз\n\nодин\n\n### Мелочь\n\n## Два\n\nдва\n'),
    ).toEqual([
      { heading: null, text: 'Сначала.' },
      { heading: 'Раз', text: 'один\n\n### Мелочь' },
      { heading: 'Два', text: 'два' },
    ]);
  });

  test.each(TOPICS.map(({ key, title }) => [key, title] as const))(
    '%s is there, bears its title, and none of its sections is empty',
    async (key, title) => {
      const page = await readFile(`docs/help/${key}.md`, 'utf8');
      expect(page.split('\n', 1)[0]).toBe(`# ${title}`);
      const sections = sectionsOf(page);
      expect(sections.length).toBeGreaterThan(2);
      expect(sections.filter(({ text }) => text === '')).toEqual([]);
    },
  );
});
