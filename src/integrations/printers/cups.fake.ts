/** Programs that speak like the commands of CUPS 2.4.2 of Debian 12, in a folder of their own. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `down`: the scheduler does not run. `rejecting`: queues take no jobs. `hangs`: `lp` reads all and never answers. `strange`: `lp` answers without an id. */
type Mood = 'up' | 'down' | 'rejecting' | 'hangs' | 'strange'

export interface FakeCups {
  /** For the variable PATH. */
  path: string
  behave(mood: Mood): Promise<void>
  disable(queue: string): Promise<void>
  enable(queue: string): Promise<void>
  /** Ends all waiting jobs. */
  printAll(): Promise<void>
  /** Arguments and content of each job that `lp` took, oldest first. */
  jobs(): Promise<{ id: string; args: string[]; content: Buffer }[]>
  remove(): Promise<void>
}

export async function fakeCups(queues: readonly string[] = ['Zebra_ZD420', 'Office']): Promise<FakeCups> {
  const home = await mkdtemp(join(tmpdir(), 'pakhus-cups-'))
  for (const folder of ['bin', 'waiting', 'ended', 'jobs', 'disabled', 'queues']) await mkdir(join(home, folder))
  for (const queue of queues) await writeFile(join(home, 'queues', queue), '')
  await writeFile(join(home, 'mood'), 'up')
  for (const [name, script] of Object.entries(programs)) {
    const file = join(home, 'bin', name)
    await writeFile(file, `#!/bin/sh\nhome='${home}'\nmood=$(cat "$home/mood")\n${script}`)
    await chmod(file, 0o755)
  }
  return {
    path: `${join(home, 'bin')}:/usr/bin:/bin`,
    behave: mood => writeFile(join(home, 'mood'), mood),
    disable: queue => writeFile(join(home, 'disabled', queue), 'Unplugged or turned off'),
    enable: queue => rm(join(home, 'disabled', queue), { force: true }),
    async printAll() {
      for (const id of await readdir(join(home, 'waiting'))) {
        await rm(join(home, 'waiting', id))
        await writeFile(join(home, 'ended', id), 'job-completed-successfully')
      }
    },
    async jobs() {
      const ids = (await readdir(join(home, 'jobs'))).filter(name => name.endsWith('.args')).map(name => name.slice(0, -5))
      const numberOf = (id: string) => Number(id.slice(id.lastIndexOf('-') + 1))
      return Promise.all(
        ids
          .sort((a, b) => numberOf(a) - numberOf(b))
          .map(async id => ({
            id,
            args: (await readFile(join(home, 'jobs', `${id}.args`), 'utf8')).split('\n').slice(0, -1),
            content: await readFile(join(home, 'jobs', `${id}.data`)),
          })),
      )
    },
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

const programs = {
  lp: `
queue=
while [ $# -gt 0 ]; do
  printf '%s\\n' "$1" >> "$home/args.$$"
  [ "$1" = -d ] && queue=$2
  shift
done
cat > "$home/data.$$"
if [ "$mood" = down ] || [ ! -f "$home/queues/$queue" ]; then echo 'lp: Error - The printer or class does not exist.' >&2; exit 1; fi
if [ "$mood" = rejecting ]; then echo "lp: Destination \\"$queue\\" is not accepting jobs." >&2; exit 1; fi
n=$(($(ls "$home/jobs" | grep -c args) + 1))
mv "$home/args.$$" "$home/jobs/$queue-$n.args"
mv "$home/data.$$" "$home/jobs/$queue-$n.data"
touch "$home/waiting/$queue-$n"
if [ "$mood" = hangs ]; then exec sleep 60; fi
if [ "$mood" = strange ]; then echo 'bonjour'; exit 0; fi
echo "request id is $queue-$n (0 file(s))"
`,
  lpstat: `
which=not-completed
while [ $# -gt 0 ]; do
  case "$1" in
    -r) if [ "$mood" = down ]; then echo 'scheduler is not running'; else echo 'scheduler is running'; fi; exit 0;;
    -e) [ "$mood" = down ] || ls "$home/queues"; exit 0;;
    -p)
      if [ "$mood" = down ]; then echo 'lpstat: Scheduler is not running.' >&2; exit 1; fi
      for queue in \${2:-$(ls "$home/queues")}; do
        if [ -f "$home/disabled/$queue" ]; then
          echo "printer $queue disabled since Mon Nov 23 00:27:53 2026 -"
          echo "	$(cat "$home/disabled/$queue")"
        else echo "printer $queue is idle.  enabled since Mon Nov 23 00:27:32 2026"; fi
      done
      exit 0;;
    -a) for queue in $(ls "$home/queues"); do echo "$queue accepting requests since Mon Nov 23 00:27:32 2026"; done; exit 0;;
    -v) for queue in $(ls "$home/queues"); do echo "device for $queue: $(cat "$home/queues/$queue")"; done; exit 0;;
    -d) if [ -f "$home/default" ]; then echo "system default destination: $(cat "$home/default")"; else echo 'no system default destination'; fi; exit 0;;
    -W) which=$2; shift;;
    -o)
      if [ "$mood" = down ]; then echo "lpstat: Invalid destination name in list \\"$2\\"." >&2; exit 1; fi
      folder=waiting; [ "$which" = completed ] && folder=ended
      for id in $(ls "$home/$folder" | grep "^\${2:-.*}-"); do
        echo "$id              root              1024   Mon Nov 23 00:27:50 2026"
        echo "	Status: "
        echo "	Alerts: $(cat "$home/$folder/$id")"
        echo "	queued for $2"
      done
      exit 0;;
  esac
  shift
done
`,
  lpoptions: `
if [ "$3" = -l ]; then
  if [ "$2" = Office ]; then echo 'PageSize/Media Size: *A4 A5 Letter'; else echo 'PageSize/Media Size: Custom.WIDTHxHEIGHT *w288h432 w283h425 4x6'; fi
  echo 'Duplex/2-Sided Printing: *None DuplexNoTumble'
else echo "copies=1 device-uri=socket://10.0.0.9 printer-info='Bench 1' printer-make-and-model='$(if [ "$2" = Office ]; then echo 'HP LaserJet M404'; else echo 'Zebra ZPL Label Printer'; fi)' printer-state=3"; fi
`,
  lpadmin: `
case "$1" in
  -x)
    if [ ! -f "$home/queues/$2" ]; then echo 'lpadmin: The printer or class does not exist.' >&2; exit 1; fi
    rm "$home/queues/$2"; exit 0;;
  -d)
    if [ ! -f "$home/queues/$2" ]; then echo 'lpadmin: The printer or class does not exist.' >&2; exit 1; fi
    echo "$2" > "$home/default"; exit 0;;
esac
name=$2
if [ "$3" = -o ]; then
  if [ ! -f "$home/queues/$name" ]; then echo 'lpadmin: The printer or class does not exist.' >&2; exit 1; fi
  echo "$4" > "$home/options.$name"; exit 0
fi
if [ "$7" = raw ]; then echo 'lpadmin: Raw queues are deprecated and will stop working in a future version of CUPS.' >&2; fi
case "$5" in
  socket://*|ipp://*|ipps://*|lpd://*|usb://*|dnssd://*) echo "$5" > "$home/queues/$name";;
  *) echo "lpadmin: Bad device-uri scheme "\${5%%:*}"." >&2; exit 1;;
esac
`,
  cupsenable: `
if [ ! -f "$home/queues/$1" ]; then echo 'cupsenable: Operation failed: client-error-not-found' >&2; exit 1; fi
rm -f "$home/disabled/$1"
`,
  cupsdisable: `
if [ ! -f "$home/queues/$1" ]; then echo 'cupsdisable: Operation failed: client-error-not-found' >&2; exit 1; fi
echo Paused > "$home/disabled/$1"
`,
  cupsaccept: `
[ -f "$home/queues/$1" ]
`,
  lpinfo: `
cat <<'END'
Device: uri = socket
        class = network
        info = AppSocket/HP JetDirect
Device: uri = serial:/dev/ttyS0?baud=115200
        class = serial
        info = Serial Port #1
Device: uri = usb://Zebra%20Technologies/ZTC%20ZD420?serial=D2J1
        class = direct
        info = Zebra ZTC ZD420
        make-and-model = Zebra ZTC ZD420
END
`,
  cancel: `
if [ "$1" = -a ]; then
  for id in $(ls "$home/waiting" | grep "^$2-"); do rm "$home/waiting/$id"; echo job-canceled-by-user > "$home/ended/$id"; done
  exit 0
fi
if [ "$mood" = down ]; then echo 'cancel: Unable to connect to server.' >&2; exit 1; fi
if [ ! -f "$home/waiting/$1" ]; then echo "cancel: cancel-job failed: Job #1 is already completed - can't cancel." >&2; exit 1; fi
rm "$home/waiting/$1"
echo job-canceled-by-user > "$home/ended/$1"
`,
}
