/** A stored table, read row by row. */
import { detectSeparator, type Row } from '#domain/csv-text.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { readRows, surveyText, textOf, underHeader } from './csv-rows.ts'

/** Bytes in which the separator is looked for. */
const looked = 100_000

interface StoredTable extends Disposable {
  headers: string[]
  /** The rows under the header, some at a time. */
  rows: AsyncGenerator<Row[]>
}

/** Opens a file whatever its encoding and separator; the file is closed when the table is disposed of. */
export async function openStoredTable(
  { services, scope, transaction }: Pick<ExternalContext, 'services' | 'scope' | 'transaction'>,
  file_id: number,
): Promise<StoredTable> {
  const file = await transaction(({ db }) =>
    db.selectFrom('files').select(['sha256', 'bytes']).where('id', '=', file_id).executeTakeFirstOrThrow(),
  )
  const { start, encoding } = await surveyText(await services.files.open(scope.operator_id, file))
  const separator = detectSeparator(new TextDecoder(encoding).decode(start.subarray(0, looked)))
  const content = await services.files.open(scope.operator_id, file)
  const { headers, rows } = await underHeader(readRows(textOf(content, encoding), { separator }))
  return { headers, rows, [Symbol.dispose]: () => content[Symbol.dispose]() }
}
