import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { inProject } from './project.mjs';
import { writeSbom } from './sbom.mjs';

const Sbom = v.object({
  bomFormat: v.literal('CycloneDX'),
  components: v.array(
    v.object({ name: v.string(), version: v.string(), hashes: v.optional(v.array(v.unknown())) }),
  ),
});
const Manifest = v.object({
  dependencies: v.record(v.string(), v.string()),
  devDependencies: v.record(v.string(), v.string()),
});

test('the list of packages names every dependency with its version', async () => {
  const out = mkdtempSync(join(tmpdir(), 'exam-room-sbom-'));
  try {
    await writeSbom(out);
    const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
    const { components } = v.parse(Sbom, read(join(out, 'sbom.cdx.json')));
    const listed = new Set(components.map(({ name, version }) => `${name} ${version}`));
    const manifest = v.parse(Manifest, read(inProject('package.json')));
    const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(wanted.filter(([name, version]) => !listed.has(`${name} ${version}`))).toEqual([]);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}, 120_000);
