/** What a user may do, and where each permission comes from: given to them, or by a group. */
import { Table, Text } from '@mantine/core'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { areas } from './permissions.labels.ts'
import { stationActWords } from './station-acts.labels.ts'
import { users } from './users.contract.ts'

export function PermissionSources({ id }: { id: number }) {
  const t = useT()
  const sources = useCall(users.permissionsOf, { id }, { live: ['group', 'user'] })
  const words = new Map(areas.flatMap(area => area.levels.map(level => [level.code, `${t(area.title)} (${t(level.title)})`] as const)))
  return (
    <section aria-label={t('Where permissions come from')}>
      <Text fw={600} size="lg" component="h2" mt="lg">
        {t('Where permissions come from')}
      </Text>
      <QueryState of={sources} shape="rows">
        {rows => (
          <Table>
            <Table.Tbody>
              {rows.map(row => (
                <Table.Tr key={row.permission}>
                  <Table.Td>{row.code === 'admin' ? t('Everything') : words.get(row.code)}</Table.Td>
                  <Table.Td>{[row.own ? t('Own') : '', ...row.groups].filter(Boolean).join(', ')}</Table.Td>
                </Table.Tr>
              ))}
              {rows.length === 0 ? (
                <Table.Tr>
                  <Table.Td>{t('None yet')}</Table.Td>
                </Table.Tr>
              ) : null}
            </Table.Tbody>
          </Table>
        )}
      </QueryState>
      <ActSources id={id} />
    </section>
  )
}

/** What groups allow at packing stations. */
function ActSources({ id }: { id: number }) {
  const t = useT()
  const acts = useCall(users.actsOf, { id }, { live: ['group', 'user'] })
  if (!acts.data || acts.data.length === 0) return null
  return (
    <Table>
      <Table.Tbody>
        {acts.data.map(({ act, groups }) => (
          <Table.Tr key={act}>
            <Table.Td>{t(stationActWords[act].title)}</Table.Td>
            <Table.Td>
              {groups
                .map(({ group_name, stations }) => `${group_name} (${stations ? stations.join(', ') : t('every station')})`)
                .join(', ')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
