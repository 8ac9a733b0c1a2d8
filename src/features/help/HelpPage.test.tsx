import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import { HelpPage } from './HelpPage.tsx';

vi.mock('@tanstack/react-router', () => ({ Link: 'a', useRouter: () => undefined }));

const RECEIPT = 'img[alt^="Квитанция на телефоне"]';

async function openHelp() {
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <HelpPage topic="student" />
    </QueryClientProvider>,
  );
  await waitForShown(() => expect(document.querySelector(RECEIPT)).not.toBeNull());
}

test('pictures have their space, load when they come into view, and open large', async () => {
  await openHelp();
  const pictures = [...document.querySelectorAll('article img')];
  expect(pictures).toHaveLength(5);
  for (const picture of pictures) {
    expect(picture.getAttribute('loading')).toBe('lazy');
    expect(Number(picture.getAttribute('width'))).toBeGreaterThan(300);
    expect(Number(picture.getAttribute('height'))).toBeGreaterThan(300);
    expect(picture.getAttribute('src')).toMatch(/student-.*\.png/);
  }
  await click(document.querySelector(RECEIPT)?.closest('button'));
  const dialog = document.querySelector('[role=dialog]');
  expect(dialog?.getAttribute('aria-label')).toMatch(/^Квитанция на телефоне/);
  expect(dialog?.querySelector('img')?.getAttribute('src')).toMatch(/student-receipt/);
});

test('the description replaces a picture that does not load', async () => {
  await openHelp();
  await act(async () => document.querySelector(RECEIPT)?.dispatchEvent(new Event('error')));
  expect(document.querySelector(RECEIPT)).toBeNull();
  expect(document.body.textContent).toContain(
    'Картинка не загрузилась. На ней: Квитанция на телефоне. Наверху контрольный код',
  );
});
