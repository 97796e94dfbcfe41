/** The order of test files: those that take longest begin first, so that no processor is idle while another ends a long file. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** More than half a minute each, the longest first. Vitest takes the largest files first where it knows no durations, but some of these are small. */
const long = [
  'test/journeys/screens.test.ts',
  'src/app/backup.test.ts',
  'test/faults.test.ts',
  'test/openapi/openapi.test.ts',
  'test/hostile.test.ts',
  'test/faults-shops.test.ts',
  'test/journeys/forms.test.ts',
  'test/journeys/station.test.ts',
  'test/journeys/main-job.test.ts',
  'test/tenants.test.ts',
  'test/processes.test.ts',
  'test/journeys/first-start.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = long.findIndex(path => moduleId.endsWith(path))
      return at < 0 ? long.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
