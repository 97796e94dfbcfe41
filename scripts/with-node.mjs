/**
 * The entry point of every command: installs what is missing, then runs `scripts/<command>.ts` on the Node that the package `node` brings.
 * Runs itself on any Node from 20 and with nothing installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const lockFile = join(root, 'package-lock.json')
const marker = join(root, 'node_modules', '.pakhus-lock')

const [command, ...rest] = process.argv.slice(2)
if (!command || !existsSync(join(root, 'scripts', `${command}.ts`)))
  stop('Usage: node scripts/with-node.mjs start|test|operations|connectors|dev|build|check|solve|admin|backup|restore|print-agent')
if (Number(process.versions.node.split('.')[0]) < 20) stop(`Pakhus needs Node 20 or newer; this is ${process.version}.`)
if (!isInstalled()) install()
runScript()

/** The marker names the lock file and the platform: a folder of packages does not move between systems. */
function stamp() {
  return createHash('sha256').update(readFileSync(lockFile)).update(process.platform).update(process.arch).digest('hex')
}

function isInstalled() {
  if (!existsSync(node)) return false
  if (existsSync(marker) && readFileSync(marker, 'utf8') === stamp()) return true
  // Somebody may have installed by hand: npm's own record says whether it is what the lock file wants.
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const found = JSON.parse(readFileSync(record, 'utf8')).packages
  const wantedHere = ({ optional, os, cpu, libc }) =>
    !optional || (!libc && (os || cpu) && (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch)))
  const missing = Object.keys(wanted).some(path => path && wantedHere(wanted[path]) && found[path]?.version !== wanted[path].version)
  if (!missing) remember()
  return !missing
}

function install() {
  // Not on standard output: that of `npm run -s solve` carries answers only.
  console.error('Installing packages (about a minute, once) …')
  // Not `npm ci`, which would first pull the packages from under a server that is running. The lock file is obeyed and left as it is.
  // Of all install scripts only that of `node` is needed: it fetches the Node for this platform. The others stay switched off.
  npm('install', '--no-save', '--ignore-scripts', '--include=dev', '--include=optional')
  if (!existsSync(node)) npm('rebuild', 'node', '--ignore-scripts=false')
  if (!existsSync(node))
    stop(
      `The packages are installed, but ${node} is missing. Run "npm rebuild node" and read what it says; is the package registry reachable?`,
    )
  remember()
}

function remember() {
  try {
    writeFileSync(marker, stamp())
  } catch {
    // A folder that only root may write: it is looked at again next time.
  }
}

function npm(...words) {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  // Within `npm start` the very npm that was called; on its Node, since the one in node_modules is about to be replaced.
  const { npm_execpath: cli, npm_node_execpath: itsNode } = process.env
  const [program, ...before] = cli?.endsWith('.js') && itsNode && !itsNode.startsWith(root) ? [itsNode, cli] : ['npm']
  const { status, error } = spawnSync(program, [...before, ...words, ...quiet], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32' && program === 'npm',
  })
  if (error) stop(`npm cannot be run: ${error.message}`)
  if (status !== 0) stop(`"npm ${words[0]}" failed, see above. Check the network connection and try again.`)
}

function runScript() {
  // A process group of its own: npm, the terminal and we would else each deliver the same Ctrl-C.
  const detached = process.platform !== 'win32'
  const child = spawn(node, [join(root, 'scripts', `${command}.ts`), ...rest], { cwd: root, stdio: 'inherit', detached })
  const pass = signal => {
    try {
      if (detached) process.kill(-child.pid, signal)
    } catch {
      // It has ended in this moment.
    }
  }
  const last = {}
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      // A closed terminal window ends the program as politely as anything else.
      if (Date.now() - (last[signal] ?? 0) > 1000) pass(signal === 'SIGHUP' ? 'SIGTERM' : signal)
      last[signal] = Date.now()
    })

  // A killed npm passes no signal on, and its shell may die of one alone: either is seen by a change among our parents.
  const parents = process.env.npm_lifecycle_event ? parentsNow() : undefined
  const watch = setInterval(() => {
    if (parents === parentsNow()) return
    clearInterval(watch)
    if (Object.keys(last).length === 0) pass('SIGTERM')
  }, 1000)
  if (!parents) clearInterval(watch)

  child.on('error', error => stop(`${node} cannot be run: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/** The parent process, the shell in which npm runs this, and where the system reports it, the parent of the shell: npm. */
function parentsNow() {
  try {
    return `${process.ppid} ${
      readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
        .replace(/^.*\) \S /, '')
        .split(' ')[0]
    }`
  } catch {
    return `${process.ppid}`
  }
}

function stop(sentence) {
  console.error(sentence)
  process.exit(1)
}
