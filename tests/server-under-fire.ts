import { join } from 'node:path';
import { createPool } from '#server/db/connect.ts';
import type { Random } from '#simulation/random.ts';
import { AnsweringStudent, type Target, type WrittenAnswer } from './answering-student.ts';
import { clear, openFolder, until } from './folders.ts';
import { makeLiveSchool, startLive } from './live-school.ts';
import { embeddedOf, type LiveServer, startLiveServer } from './programs/live-server.ts';
import { cutPower } from './programs/processes.ts';

/** What is killed: node alone, node and PostgreSQL as by a power cut, or PostgreSQL alone. */
export type Blow = 'server' | 'power' | 'database';

/** A separate disk, which loses unflushed data. */
interface LossyDisk {
  readonly folder: string;
  losePages(): Promise<void>;
}

/** The results of the kills. */
export interface Toll {
  readonly blows: Record<Blow, number>;
  /** Calls in progress at each kill. */
  readonly inFlight: number[];
  /** Row 27: stored by a server that died before it could reply. */
  storedUnconfirmed: number;
  /** Row 28: not stored by the server that died. */
  neverStored: number;
}

/** The shipped server on a durable database, its students, and kills while they answer. */
export class ServerUnderFire implements Target {
  readonly violations: string[] = [];
  readonly toll: Toll = {
    blows: { server: 0, power: 0, database: 0 },
    inFlight: [],
    storedUnconfirmed: 0,
    neverStored: 0,
  };
  students: readonly AnsweringStudent[] = [];
  private readonly folder: string;
  private readonly disk: LossyDisk | null;
  private readonly random: Random;
  private server: Promise<LiveServer>;
  private receipts = 0;
  private waiting: { count: number; tell: () => void } | null = null;

  private constructor(folder: string, random: Random, disk: LossyDisk | null) {
    this.folder = folder;
    this.disk = disk;
    this.random = random;
    this.server = startLiveServer({ dataDir: folder });
  }

  /**
   * Starts the server and so many students' attempts.
   * @param disk takes back what was not flushed; without it a power cut leaves the system's pages
   */
  static async open(
    random: Random,
    students: number,
    disk: LossyDisk | null = null,
  ): Promise<ServerUnderFire> {
    const folder = disk ? join(disk.folder, 'data') : await openFolder();
    const fire = new ServerUnderFire(folder, random, disk);
    const base = await fire.up();
    const pool = createPool(await fire.databaseUrl(), 4, () => undefined);
    const school = await makeLiveSchool(pool, students);
    await pool.end();
    fire.students = await Promise.all(
      school.students.map(async (user) => {
        const started = await startLive(base, user, school.testId);
        return new AnsweringStudent(user, started, fire, random.fork(user.userId));
      }),
    );
    return fire;
  }

  async up(): Promise<string> {
    return (await this.server).url;
  }

  async databaseUrl(): Promise<string> {
    await this.server;
    return (await embeddedOf(this.folder)).url;
  }

  acknowledged(answer: WrittenAnswer): void {
    this.receipts += 1;
    if (answer.killedAt !== null && answer.receipt) {
      const wasStored = Date.parse(answer.receipt.receivedAt) <= answer.killedAt;
      this.toll[wasStored ? 'storedUnconfirmed' : 'neverStored'] += 1;
    }
    if (this.waiting && this.receipts >= this.waiting.count) {
      this.waiting.tell();
      this.waiting = null;
    }
  }

  violated(what: string): void {
    this.violations.push(what);
  }

  /** Resolves when so many more answers are acknowledged. */
  private progress(more: number): Promise<void> {
    const count = this.receipts + more;
    return new Promise((tell) => {
      this.waiting = { count, tell };
    });
  }

  /** Students answer while kills happen at random moments; then everything is delivered. */
  async endure(blows: readonly Blow[]): Promise<void> {
    let over = false;
    const strikes = async () => {
      for (const blow of blows) {
        await this.progress(this.random.between(1, 60));
        // the moment itself is what is random here: nothing is waited for
        await new Promise((resolve) => setTimeout(resolve, this.random.between(0, 30)));
        await this.strike(blow);
      }
      await this.progress(1);
      over = true;
    };
    await Promise.all([
      strikes(),
      ...this.students.map((student) => student.answerUntil(() => over, 2)),
    ]);
  }

  private async strike(blow: Blow): Promise<void> {
    const server = await this.server;
    // Replies of the time before the last blow may arrive before the database has been started again.
    await until(() =>
      embeddedOf(this.folder).then(
        () => true,
        () => false,
      ),
    );
    const postgres = (await embeddedOf(this.folder)).pid;
    this.toll.blows[blow] += 1;
    if (blow === 'database') {
      // the server lives on, starts its database again, and says 503 meanwhile
      await cutPower([postgres]);
      return;
    }
    const caught = this.students.flatMap((student) => [...student.inFlight]);
    this.toll.inFlight.push(caught.length);
    this.server = this.restart(server, blow === 'power' ? postgres : null, caught);
    await this.server;
  }

  private async restart(
    server: LiveServer,
    postgres: number | null,
    caught: readonly WrittenAnswer[],
  ): Promise<LiveServer> {
    const ended = server.end('SIGKILL');
    if (postgres !== null) await cutPower([postgres]);
    await ended;
    if (postgres !== null) await this.disk?.losePages();
    for (const answer of caught) answer.killedAt = Date.now();
    return startLiveServer({ dataDir: this.folder });
  }

  async close(): Promise<void> {
    const server = await this.server.catch(() => null);
    await server?.end('SIGKILL');
    await clear(this.folder);
  }
}
