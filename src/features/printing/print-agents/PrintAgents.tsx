/** The print agents of the company: their last contact and their printers, and how to set one up. */
import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import * as z from 'zod'
import { limits } from '#contract/limits.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { PrinterBadge } from '#features/printing/printers/PrinterBadge.tsx'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { Copied } from '#ui/kit/CopyButton.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { SettingsSection } from '#ui/kit/SettingsSection.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useSend } from '#ui/query/calls.ts'
import { apiHost } from '#ui/query/request-context.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { printAgents } from './print-agents.contract.ts'
import type { PrintAgent } from './print-agents.schemas.ts'

export function PrintAgents() {
  const t = useT()
  const list = useCall(printAgents.list, {}, { live: ['printer'], every: 30_000 })
  const mayRemove = useIsAllowed(printAgents.remove.access)
  const mayMakeKeys = useIsAllowed(cmsKeys.create.access)
  const [adding, setAdding] = useState(false)
  const { mutate: remove } = useSend(printAgents.remove, {
    refreshes: [printAgents.list, printers.list],
    said: t('Print agent removed'),
  })
  const askToRemove = async ({ id, name }: PrintAgent) => {
    const body = t(
      'Its printers disappear. While its program runs and its key works, it comes back: end the program, or remove the key, first.',
    )
    if (await confirm({ title: t('Remove {{name}}?', { name }), body, action: t('Remove print agent'), danger: true })) remove({ id })
  }
  return (
    <SettingsSection
      title={t('Print agents')}
      help={t(
        'A program on a computer in the warehouse that prints for a server elsewhere: on that computer’s CUPS and on label printers of its network.',
      )}
    >
      <QueryState of={list} shape="rows">
        {agents =>
          agents.length === 0 ? (
            <Text c="dimmed">{t('There is no print agent yet.')}</Text>
          ) : (
            <Table.ScrollContainer minWidth={460}>
              <Table verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('Name')}</Table.Th>
                    <Table.Th>{t('Status')}</Table.Th>
                    <Table.Th>{t('Last contact')}</Table.Th>
                    <Table.Th>{t('Printers')}</Table.Th>
                    <Table.Th aria-label={t('Actions')} />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {agents.map(agent => (
                    <Table.Tr key={agent.id}>
                      <Table.Td>
                        {agent.name}
                        {agent.version ? (
                          <Text size="xs" c="dimmed">
                            {agent.version}
                          </Text>
                        ) : null}
                      </Table.Td>
                      <Table.Td>
                        {agent.state === 'connected' ? (
                          <StateBadge tone="done">{t('Connected')}</StateBadge>
                        ) : (
                          <StateBadge tone="stop">{t('No contact')}</StateBadge>
                        )}
                      </Table.Td>
                      <Table.Td>
                        <RelativeTime at={agent.last_seen_at} as="age" />
                      </Table.Td>
                      <Table.Td>
                        <Stack gap={4}>
                          {agent.printers.map(printer => (
                            <Group key={printer.id} gap="xs" wrap="nowrap">
                              <span>{printer.name}</span>
                              <PrinterBadge state={printer.state} />
                            </Group>
                          ))}
                        </Stack>
                      </Table.Td>
                      <Table.Td ta="right">
                        {mayRemove ? (
                          <Button size="compact-sm" variant="subtle" color="brick" onClick={() => void askToRemove(agent)}>
                            {t('Remove')}
                          </Button>
                        ) : null}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </QueryState>
      <Group>
        {mayMakeKeys ? (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
            {t('Set up a print agent')}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {t('A user with permission to change settings sets up print agents.')}
          </Text>
        )}
      </Group>
      <Dialog opened={adding} onClose={() => setAdding(false)} title={t('Set up a print agent')} size="lg" closeOnClickOutside={false}>
        <Setup close={() => setAdding(false)} />
      </Dialog>
    </SettingsSection>
  )
}

const KeyName = z.object({ name: z.string().trim().min(1, 'Give the key a name by which you will know it').max(limits.name) })

function Setup({ close }: { close: () => void }) {
  const t = useT()
  const [key, setKey] = useState<string>()
  const edit = useEdit({
    schema: KeyName,
    initial: { name: '' },
    save: ({ name }) => send(cmsKeys.create, { body: { name, purpose: 'print_agent' } }),
    refreshes: [cmsKeys.list],
    done: made => setKey(made.key),
  })
  if (!key)
    return (
      <Form edit={edit} action={t('Create key')} unguarded>
        <TextInput label={t('Name')} description={t('The computer on which it will run.')} data-autofocus {...edit.of('name')} />
      </Form>
    )
  const command = `PRINT_AGENT_KEY=${key} npm run print-agent -- --server ${apiHost() || window.location.origin}`
  return (
    <Stack>
      <Text>
        {t('Copy the program’s folder to that computer and start it there with this command. The key is shown only here and now.')}
      </Text>
      <Copied text={command} label={t('Copy command')} block />
      <Text>{t('Label printers of the network are added to the command: {{option}}', { option: '--raw Zebra=192.168.1.50' })}</Text>
      <Group>
        <Button onClick={close}>{t('Command copied')}</Button>
      </Group>
    </Stack>
  )
}
