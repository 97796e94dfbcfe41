/** `npm run -s solve`: questions of routing from standard input, one JSON object per line, and their answers to standard output. */
import { solveLines } from '../src/optimization/solve.ts'

// Who reads the answers may have seen enough.
process.stdout.on('error', () => process.exit())
for await (const answer of solveLines(process.stdin))
  if (!process.stdout.write(answer)) await new Promise(go => process.stdout.once('drain', go))
