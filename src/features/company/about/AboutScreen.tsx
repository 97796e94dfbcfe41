/** About: version, health and the licences of the libraries in use. */
import { Anchor, DataList, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { bytes, duration, number } from '#ui/kit/format.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { about } from './about.contract.ts'
import type { About, Library } from './about.schemas.ts'

export function AboutScreen() {
  const t = useT()
  const status = useCall(about.get, {}, { every: 30_000 })
  const libraries = useCall(about.libraries, {}, { fresh: 3_600_000 })
  return (
    <Page title={t('About')}>
      <QueryState of={status} shape="form">
        {facts => <Facts facts={facts} failed={status.error !== null} />}
      </QueryState>
      <SettingsSection
        title={t('Libraries')}
        help={t(
          'Pakhus stands on the work of others. Each is used under its own licence, which lies beside it in the folder node_modules.',
        )}
      >
        <QueryState of={libraries} shape="rows">
          {rows => <Libraries rows={rows} />}
        </QueryState>
      </SettingsSection>
    </Page>
  )
}

function Facts({ facts, failed }: { facts: About; failed: boolean }) {
  const t = useT()
  const { database, queue } = facts
  const version = `Pakhus ${facts.version} (${facts.build})`
  return (
    <div>
      <SettingsSection title={t('This installation')} help={t('Name the version when you ask for help.')}>
        <List
          facts={[
            [
              t('Version'),
              <Group key="v" gap={4}>
                {facts.version}
                <CopyButton text={version} label={t('Copy version')} />
              </Group>,
            ],
            [t('Build'), facts.build],
            [t('Node'), facts.node],
            [
              t('Running for'),
              <span key="u" title={facts.started_at}>
                {duration((Date.now() - Date.parse(facts.started_at)) / 1_000)}
              </span>,
            ],
            [t('Files'), facts.files === 'disk' ? t('On the server’s own disk') : t('In a bucket')],
          ]}
        />
      </SettingsSection>
      <SettingsSection title={t('Health')} help={<HealthLinks />}>
        <List
          facts={[
            [
              t('Server'),
              failed ? (
                <StateBadge key="s" tone="stop">
                  {t('No answer')}
                </StateBadge>
              ) : (
                <StateBadge key="s" tone="done">
                  {t('Answers')}
                </StateBadge>
              ),
            ],
            [
              t('Database'),
              <Group key="d" gap="xs">
                <StateBadge tone="done">{t('Answers')}</StateBadge>
                <span>{t('in {{milliseconds}} ms', { milliseconds: number(database.answers_in, 1) })}</span>
              </Group>,
            ],
            [t('Work in the queue'), queue.waiting === 0 ? t('Nothing waits') : t('{{count}} waiting', { count: queue.waiting })],
            ...(queue.oldest ? ([[t('Oldest work'), <RelativeTime key="o" at={queue.oldest} as="age" />]] as const) : []),
            [
              t('Abandoned'),
              queue.failed === 0 ? (
                <StateBadge key="f" tone="done">
                  {t('None')}
                </StateBadge>
              ) : (
                <StateBadge key="f" tone="stop">
                  {number(queue.failed)}
                </StateBadge>
              ),
            ],
          ]}
        />
      </SettingsSection>
      <SettingsSection title={t('Database')}>
        <List
          facts={[
            ['PostgreSQL', database.version],
            [t('Size'), bytes(database.bytes)],
          ]}
        />
        <details>
          <summary style={{ cursor: 'pointer' }}>{t('{{count}} migrations', { count: facts.migrations.length })}</summary>
          <Table mt="xs" layout="auto">
            <Table.Tbody>
              {facts.migrations.map(one => (
                <Table.Tr key={one.name}>
                  <Table.Td>{one.name.replace(/\.sql$/, '').replaceAll('_', ' ')}</Table.Td>
                  <Table.Td>
                    <RelativeTime at={one.applied_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </details>
      </SettingsSection>
    </div>
  )
}

function HealthLinks() {
  const t = useT()
  return (
    <Stack gap={2} mt={4}>
      <Anchor href="/healthz" target="_blank" size="sm">
        /healthz
      </Anchor>
      <Anchor href="/readyz" target="_blank" size="sm">
        /readyz
      </Anchor>
      <Anchor href="/docs" target="_blank" size="sm">
        {t('The calls of the API')}
      </Anchor>
    </Stack>
  )
}

function List({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <DataList orientation="horizontal" labelWidth="10rem">
      {facts.map(([label, value]) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  )
}

function Libraries({ rows }: { rows: readonly Library[] }) {
  const t = useT()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = rows.filter(one => `${one.name} ${one.licence}`.toLowerCase().includes(wanted))
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        leftSection={<IconSearch size={16} />}
        aria-label={t('Search libraries')}
        placeholder={t('Name or licence')}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed" role="status">
        {t('{{count}} libraries', { count: found.length })}
      </Text>
      <div style={{ maxHeight: '32rem', overflow: 'auto' }}>
        <Table stickyHeader layout="auto">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Library')}</Table.Th>
              <Table.Th>{t('Version')}</Table.Th>
              <Table.Th>{t('Licence')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.map(one => (
              <Table.Tr key={`${one.name}@${one.version}`}>
                <Table.Td style={{ wordBreak: 'break-word' }}>
                  {one.homepage ? (
                    <Anchor href={one.homepage} target="_blank" rel="noreferrer" size="sm">
                      {one.name}
                    </Anchor>
                  ) : (
                    one.name
                  )}
                </Table.Td>
                <Table.Td>{one.version}</Table.Td>
                <Table.Td>{one.licence}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Stack>
  )
}
