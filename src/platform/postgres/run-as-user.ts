/** Under whose name PostgreSQL runs: it refuses root, so root hands its folder to an ordinary user that exists already. */
import { spawn } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'

export interface Account {
  name: string
  uid: number
  gid: number
}

/**
 * The account for a cluster folder (which need not exist yet): undefined means "as ourselves", because we are not root.
 * A folder that has an owner keeps it. No user is ever created: that could not be undone.
 */
export function accountFor(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = lstatSync(cluster, { throwIfNoEntry: false })
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .map(([name = '', , uid, gid]): Account => ({ name, uid: Number(uid), gid: Number(gid) }))
  if (owner && owner.uid !== 0) return accounts.find(({ uid }) => uid === owner.uid) ?? { name: `user ${owner.uid}`, ...owner }
  const account = ['postgres', '_postgres', 'nobody'].map(name => accounts.find(known => known.name === name)).find(Boolean)
  if (!account)
    throw new Error(
      'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody. Start Pakhus as an ordinary user, or set DATABASE_URL.',
    )
  return { ...account }
}

/** What a program that runs under the account is started with. Of our own environment, which holds secrets, it gets the least it needs. */
export function under(account: Account | undefined) {
  const { PATH, SystemRoot } = process.env
  return { ...(account && { uid: account.uid, gid: account.gid }), env: { PATH, SystemRoot, LC_ALL: 'C' }, windowsHide: true }
}

/** Runs a program under the account to its end; `output` is what it said on both streams. Never throws. */
export function run(account: Account | undefined, program: string, args: string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise(settle => {
    // The working folder may be one that the account cannot enter; `/` is open to everybody.
    const child = spawn(program, args, { ...under(account), cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
    child.on('error', error => settle({ ok: false, output: error.message }))
    child.on('close', code => settle({ ok: code === 0, output: output.trim() }))
  })
}

/** Whether the account can enter the folder: asked of the system, since groups, access lists and mounts have a say besides the mode. */
export async function canEnter(account: Account | undefined, folder: string) {
  return !account || (await run(account, '/bin/sh', ['-c', 'test -x "$1"', 'sh', folder])).ok
}
