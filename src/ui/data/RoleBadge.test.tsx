import { expect, test } from 'vitest';
import { themeCss } from '#app/ui/css-variables.ts';
import { RoleBadge } from './RoleBadge.tsx';
import { render } from '#app/ui/test-render.tsx';

test.each([
  [0, 'Студент', 'blue', 'info'],
  [2, 'Преподаватель', 'green', 'ok'],
  [1, 'Администратор', 'red', 'bad'],
] as const)('the badge of role %i is «%s», %s', async (role, word, colour, tone) => {
  const { container, unmount } = await render(<RoleBadge role={role} />);
  const badge = container.querySelector(`[data-tone=${tone}]`);
  expect(badge?.textContent).toBe(word);
  expect(themeCss()).toContain(`--app-${tone}-text: var(--mantine-color-${colour}-7)`);
  await unmount();
});
