import type { DatabaseAddress } from './address.ts';

/** Options of a start. `durable: false` is for tests alone: a power cut loses everything. */
export type Tuning = { durable: boolean; maxConnections: number };

/** Settings given on the command line at every start. */
export function settings(address: DatabaseAddress, tuning: Tuning): string[] {
  const onSocket = address.password === undefined;
  const chosen: Record<string, string> = {
    listen_addresses: onSocket ? '' : address.host,
    port: String(address.port),
    unix_socket_directories: onSocket ? quoteList(address.host) : '',
    unix_socket_permissions: '0700',
    max_connections: String(tuning.maxConnections),
    shared_buffers: '128MB',
    fsync: tuning.durable ? 'on' : 'off',
    full_page_writes: tuning.durable ? 'on' : 'off',
    wal_compression: 'on',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'on',
    log_directory: '../log',
    log_filename: 'postgres-%Y%m%d-%H%M%S.log',
    log_rotation_size: '10MB',
    log_rotation_age: '0',
    // names and answers stay out of the log: no values, no statements
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  };
  return Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** A path with a comma or a space in a setting that is a list. */
const quoteList = (path: string): string => `"${path.replaceAll('"', '""')}"`;
