import type { FastifyInstance } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import * as v from 'valibot';
import { readJson } from './read-json.ts';
import { CSP_REPORTS_PATH } from './security-headers.ts';

const REPORT_BYTES = 16 * 1024;

/** Directives counted by name. Names that a reporter invents are not counted. */
const DIRECTIVES = [
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'require-trusted-types-for',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'trusted-types',
  'worker-src',
];

const Report = v.object({
  'csp-report': v.object({ 'effective-directive': v.fallback(v.picklist(DIRECTIVES), 'other') }),
});

/** Counts violations that browsers report. Anyone may report, so nothing from a report is stored or logged. */
export function countCspReports(app: FastifyInstance, registry: Registry): void {
  const reports = new Counter({
    name: 'csp_reports_total',
    help: 'What browsers refused by the content security policy, by directive',
    labelNames: ['directive'],
    registers: [registry],
  });
  app.post(CSP_REPORTS_PATH, { bodyLimit: REPORT_BYTES }, async (request, reply) => {
    const body = Buffer.isBuffer(request.body)
      ? readJson(request.body, { limit: REPORT_BYTES })
      : undefined;
    const report = v.safeParse(Report, body);
    if (report.success)
      reports.inc({ directive: report.output['csp-report']['effective-directive'] });
    return reply.code(204).send();
  });
}
