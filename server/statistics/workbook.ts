import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { SheetData } from 'write-excel-file/node';
import { textCell, type Cell, type CellTable } from './cells.ts';

const LIBRARY = 'write-excel-file/node';

/**
 * A hundred thousand cells block the library for half a second, in which no answer would be accepted, so it runs in a
 * worker thread. Its code is a text because the server is one file.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
require(workerData.library)(workerData.sheets).toBuffer().then((file) => parentPort.postMessage(file));
`;

interface Sheet {
  readonly sheet: string;
  readonly columns: readonly { readonly width: number }[];
  readonly stickyRowsCount: number;
  readonly data: SheetData;
}

function sheetOf({ name, columns, rows }: CellTable): Sheet {
  const cellOf = (cell: Cell, column: number) => {
    if (typeof cell === 'string') return textCell(cell);
    if (cell instanceof Date) return { value: cell, format: 'dd.mm.yyyy hh:mm' };
    const format = columns[column]?.format;
    return cell === null || format === undefined ? cell : { value: cell, format };
  };
  return {
    sheet: name,
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
    data: [
      columns.map(({ head }) => ({ value: head, fontWeight: 'bold', wrap: true })),
      ...rows.map((row) => row.map(cellOf)),
    ],
  };
}

/** Tables as a workbook, a sheet each. Rejects when the thread fails. */
export function workbookOf(tables: readonly CellTable[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: {
        library: createRequire(import.meta.url).resolve(LIBRARY),
        sheets: tables.map(sheetOf),
      },
    });
    worker.once('message', (file: Uint8Array) => resolve(Buffer.from(file)));
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code !== 0) reject(new Error(`the workbook's thread ended with ${code}`));
    });
  });
}
