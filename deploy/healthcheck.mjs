import { get as getPlain } from 'node:http';
import { get as getTls } from 'node:https';

/** Exit code 0 while the server on this machine takes calls and its database answers. */
const { PORT = '3000', TLS_CERT = '', LAN = '' } = process.env;
const isTls = TLS_CERT !== '' || ['1', 'true'].includes(LAN.toLowerCase());
const options = {
  host: '127.0.0.1',
  port: Number(PORT),
  path: '/readyz',
  timeout: 4_000,
  // The certificate names the address that people use, not this one.
  rejectUnauthorized: false,
};

const request = (isTls ? getTls : getPlain)(options, (reply) => {
  process.exitCode = reply.statusCode === 200 ? 0 : 1;
  reply.resume();
});
request.on('timeout', () => request.destroy(new Error('no answer')));
request.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
