import { openDatabase } from '#server/db/connect.ts';
import { messageOf, OperatorError } from '#server/db/operator-error.ts';

/** A server reduced to its database: opens the given folder, reports events in JSON lines, closes on SIGTERM. */
const tell = (event: string, text: string): void => {
  process.stdout.write(`${JSON.stringify({ event, text })}\n`);
};

try {
  const database = await openDatabase({
    dataDir: process.argv[2] ?? '',
    say: (line) => tell('said', line),
  });
  process.once('SIGTERM', () => {
    void database.close().then(() => process.exit(0));
  });
  tell('opened', database.url ?? '');
} catch (error) {
  tell(error instanceof OperatorError ? 'refused' : 'broke', messageOf(error));
  process.exitCode = 1;
}
