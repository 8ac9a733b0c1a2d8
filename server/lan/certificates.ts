import { X509Certificate, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** PEM texts. */
export interface Certificate {
  key: string;
  cert: string;
}

/** ASCII: the package encodes other letters as broken DER. The mark distinguishes two authorities on a device. */
const organization = () => `Exam Room local authority ${randomBytes(3).toString('hex')}`;
const CA_DAYS = 3_650;
/** Apple refuses server certificates that live longer than 825 days. */
const LEAF_DAYS = 397;
const RENEW_BEFORE_MS = 30 * 86_400_000;

async function readPair(folder: string, name: string): Promise<Certificate | null> {
  try {
    const [key, cert] = await Promise.all([
      readFile(join(folder, `${name}.key`), 'utf8'),
      readFile(join(folder, `${name}.crt`), 'utf8'),
    ]);
    return { key, cert };
  } catch {
    return null;
  }
}

/** The certificate is written last: a pair interrupted by a crash is created again. */
async function writePair(folder: string, name: string, pair: Certificate): Promise<void> {
  for (const [ending, text, mode] of [
    ['key', pair.key, 0o600],
    ['crt', pair.cert, 0o644],
  ] as const) {
    const path = join(folder, `${name}.${ending}`);
    await writeFile(`${path}.part`, text, { mode });
    await rename(`${path}.part`, path);
  }
}

const holds = (pair: Certificate, ca: Certificate, names: readonly string[], now: Date) => {
  const certificate = new X509Certificate(pair.cert);
  const listed = new Set(
    (certificate.subjectAltName ?? '').split(', ').map((entry) => entry.replace(/^[^:]+:/, '')),
  );
  return (
    certificate.checkIssued(new X509Certificate(ca.cert)) &&
    new Date(certificate.validTo).getTime() - now.getTime() > RENEW_BEFORE_MS &&
    names.every((name) => listed.has(name))
  );
};

/**
 * The local authority, created once in `folder`, and a server certificate for the names (host names and IPv4
 * addresses), renewed when a name is new or it expires soon.
 */
export async function lanCertificates(
  folder: string,
  names: readonly string[],
  now: Date,
): Promise<{ ca: Certificate; server: Certificate }> {
  // Takes a tenth of a server's start: loaded only when phones are served.
  const { createCA, createCert } = await import('mkcert');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let ca = await readPair(folder, 'ca');
  if (!ca) {
    ca = await createCA({
      organization: organization(),
      countryCode: 'RU',
      state: '-',
      locality: '-',
      validity: CA_DAYS,
    });
    await writePair(folder, 'ca', ca);
  }
  let server = await readPair(folder, 'server');
  if (!server || !holds(server, ca, names, now)) {
    server = await createCert({ ca, domains: [...names], validity: LEAF_DAYS });
    await writePair(folder, 'server', server);
  }
  return { ca, server };
}
