/** The settings of the embedded PostgreSQL: nothing that was answered may be lost, no one may hold a lock for ever, and it fits the machine. */
import { totalmem } from 'node:os'

export function settingsFor(port: number, sockets: string, own: Record<string, string>): Record<string, string> {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  const memory = Math.min(totalmem(), limit) / 2 ** 20
  const megabytes = (share: number, least: number, most: number) => `${Math.round(Math.max(least, Math.min(most, memory * share)))}MB`
  return {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // Beside loopback: a socket costs half of what a connection over the network layer does.
    unix_socket_directories: sockets,
    max_connections: '100',

    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // A page compressed by pglz, the one way that this build has, takes 100 microseconds: after a checkpoint most of what a change of many orders takes.
    wal_compression: 'off',

    shared_buffers: megabytes(1 / 16, 64, 1024),
    effective_cache_size: megabytes(1 / 2, 128, 65536),
    work_mem: '16MB',
    maintenance_work_mem: megabytes(1 / 64, 64, 512),
    random_page_cost: '1.1',
    jit: 'off',
    // The products of a company that is new are counted before they are a tenth of all: uncounted, they seem to be one.
    autovacuum_analyze_scale_factor: '0.02',

    lock_timeout: '5s',
    idle_in_transaction_session_timeout: '30s',
    ...(process.platform !== 'win32' && { client_connection_check_interval: '1s' }),

    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // One file per weekday, in the cluster's folder `log`. Terse, because details hold the values of rows: names, addresses.
    logging_collector: 'on',
    log_filename: 'postgresql-%a.log',
    log_rotation_age: '1d',
    log_truncate_on_rotation: 'on',
    log_error_verbosity: 'terse',
    ...own,
  }
}

export const settingsText = (settings: Record<string, string>) =>
  [
    '# Written at every start. Settings of your own: ALTER SYSTEM SET …, which win over these.',
    ...Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`),
    '',
  ].join('\n')
