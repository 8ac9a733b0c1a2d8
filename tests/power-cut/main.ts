import pg from 'pg';
import { createRandom } from '#simulation/random.ts';
import type { AnsweringStudent } from '#tests/answering-student.ts';
import { type Blow, ServerUnderFire } from '#tests/server-under-fire.ts';
import { losesUnflushed, mountDisk, type PowerCutDisk } from './disk.ts';
import { handIn, type HandedInFile, isWhole } from './handing-in.ts';

const STUDENTS = 8;
const CUTS = Number(process.argv[2] ?? 10);
const SEED = Number(process.argv[3] ?? Date.now());

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Acknowledged answers that are not in the journal, or differ from what was acknowledged. */
async function lostAnswers(client: pg.Client, student: AnsweringStudent): Promise<string[]> {
  const { rows } = await client.query<{ id: string; outcome: string; received_at: Date }>(
    'select id, outcome, received_at from operations where attempt_id = $1',
    [student.attempt.userTestId],
  );
  const journal = new Map(rows.map((row) => [row.id, row]));
  return student.written.flatMap(({ id, receipt }) => {
    const row = journal.get(id);
    const isStored =
      row?.outcome === receipt?.outcome && row?.received_at.toISOString() === receipt?.receivedAt;
    return isStored ? [] : [id];
  });
}

async function trial(disk: PowerCutDisk): Promise<boolean> {
  if (!(await losesUnflushed(disk))) {
    say('Опыт негоден: диск сохранил и то, что никто не сбрасывал.');
    return false;
  }
  const fire = await ServerUnderFire.open(createRandom(SEED), STUDENTS, disk);
  try {
    let isOver = false;
    const files: HandedInFile[] = [];
    const handing = fire.students.slice(0, 2).map(async (student) => {
      while (!isOver && files.length < 2 * CUTS) files.push(await handIn(student, () => fire.up()));
    });
    await fire.endure(Array.from({ length: CUTS }, (): Blow => 'power'));
    isOver = true;
    await Promise.all(handing);
    // The last acknowledged data meet a power cut as well.
    await fire.endure(['power']);
    const client = new pg.Client({ connectionString: await fire.databaseUrl() });
    await client.connect();
    const lost: string[] = [];
    for (const each of fire.students) lost.push(...(await lostAnswers(client, each)));
    await client.end();
    const base = await fire.up();
    const broken: string[] = [];
    for (const file of files) if (!(await isWhole(file, base))) broken.push(file.fileId);
    const answers = fire.students.reduce((sum, { written }) => sum + written.length, 0);
    say(
      `Отключений питания: ${CUTS + 1}. Ответов подтверждено: ${answers}, потеряно: ${lost.length}. Файлов подтверждено: ${files.length}, потеряно: ${broken.length}. Число: ${SEED}.`,
    );
    for (const violation of fire.violations) say(`Нарушение: ${violation}`);
    return lost.length + broken.length + fire.violations.length === 0;
  } finally {
    await fire.close();
  }
}

const disk = await mountDisk().catch((error: unknown) => {
  say(
    `Опыт с отключением питания не проведён: нужен Linux, root и устройства loop (${String(error).split('\n')[0]}).`,
  );
  return null;
});
if (disk)
  try {
    process.exitCode = (await trial(disk)) ? 0 : 1;
  } catch (error) {
    // Above all a database that did not survive its power cut.
    say(`Опыт не дошёл до конца: ${String(error)}`);
    process.exitCode = 1;
  } finally {
    await disk.remove();
  }
