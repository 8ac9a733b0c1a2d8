import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import * as v from 'valibot';

const Line = v.object({
  event: v.picklist(['said', 'opened', 'refused', 'broke']),
  text: v.string(),
});
type Outcome = v.InferOutput<typeof Line>;

/** The open-database program in a process of its own. */
export type Program = {
  pid: number;
  said: string[];
  /** The result of the opening; `broke` also when the process ended without output. */
  outcome: Promise<Outcome>;
  /** What Ctrl+C in a terminal does: SIGINT to its whole process group. */
  interrupt(): Promise<number | null>;
  /** Signals it and waits for its end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** Starts the program on a data folder. */
export function openInProcess(dataDir: string): Program {
  const file = fileURLToPath(new URL('./open-database.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file, dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const said: string[] = [];
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => resolve(code)),
  );
  const outcome = new Promise<Outcome>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = v.parse(Line, JSON.parse(text));
      if (line.event === 'said') said.push(line.text);
      else resolve(line);
    });
    void ended.then((code) => resolve({ event: 'broke', text: `exit ${code}: ${errors}` }));
  });
  return {
    pid: child.pid ?? 0,
    said,
    outcome,
    interrupt() {
      process.kill(-(child.pid ?? 0), 'SIGINT');
      return ended;
    },
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
