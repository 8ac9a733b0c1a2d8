import type { FastifyInstance } from 'fastify';
import type { Settings } from '#server/deps.ts';

/** Where browsers report violations of the policy. */
export const CSP_REPORTS_PATH = '/api/csp-reports';

/** No inline scripts at all; inline styles are allowed because components and formulas write them. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  // WebAssembly computes the key of a start code on the device.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "media-src 'self' blob:",
  "object-src 'none'",
  "frame-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  // Trusted Types: markup and script URLs enter the page through these policies alone.
  "require-trusted-types-for 'script'",
  'trusted-types dompurify default',
  `report-uri ${CSP_REPORTS_PATH}`,
].join('; ');

const HALF_A_YEAR_S = 15_552_000;

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
  // The camera is for handing in a photo of a solution.
  'permissions-policy':
    'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), browsing-topics=()',
};

/** Security headers of every reply. */
export function securityHeaders(settings: Settings): Record<string, string> {
  return settings.secure
    ? { ...HEADERS, 'strict-transport-security': `max-age=${HALF_A_YEAR_S}` }
    : HEADERS;
}

export function guardPages(app: FastifyInstance, settings: Settings): void {
  const headers = securityHeaders(settings);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
}
