import { prepare } from './lib/prepare.mjs';
import { main, say } from './lib/project.mjs';

/** `npm run check:words`: how plain the English of comments and documents is, by folder. */
await main(async () => {
  await prepare();
  const { checkWords } = await import('./lib/words.mjs');
  const { ok, report } = checkWords();
  say(report);
  return ok ? 0 : 1;
});
