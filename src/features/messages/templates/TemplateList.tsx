/** Templates as a table by occasion and language, with gaps marked. */
import { Anchor, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { locales } from '#contract/limits.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { localeNames, useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { channelWords, triggerWords } from './template.labels.ts'
import { templates } from './templates.contract.ts'
import type { MessageTemplate } from './templates.schemas.ts'

interface TemplateListProps {
  mayEdit: boolean
  open: (template: MessageTemplate) => void
  add: () => void
}

/** Templates that are the same message in several languages. */
const kinOf = ({ trigger, channel, name }: MessageTemplate): string => `${trigger} ${channel} ${trigger === 'manual' ? name : ''}`

export function TemplateList({ mayEdit, open, add }: TemplateListProps) {
  const t = useT()
  const all = useCall(templates.list, {})
  const button = (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
      {t('Add template')}
    </Button>
  )
  return (
    <QueryState of={all}>
      {({ rows }) =>
        rows.length === 0 ? (
          <EmptyList title={t('No templates yet')} {...(mayEdit && { action: button })}>
            {t('For example a text message when an order is packed, in the language of each recipient.')}
          </EmptyList>
        ) : (
          <Stack gap="md">
            {mayEdit ? <Group>{button}</Group> : null}
            <Table.ScrollContainer minWidth={560}>
              <Table verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('Occasion')}</Table.Th>
                    <Table.Th>{t('Channel')}</Table.Th>
                    {locales.map(locale => (
                      <Table.Th key={locale}>{localeNames[locale]}</Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {[...Map.groupBy(rows, kinOf).values()].map(kin => {
                    const [first] = kin
                    return first ? (
                      <Table.Tr key={kinOf(first)}>
                        <Table.Td>{first.trigger === 'manual' ? first.name : t(triggerWords[first.trigger])}</Table.Td>
                        <Table.Td>{t(channelWords[first.channel])}</Table.Td>
                        {locales.map(locale => (
                          <Table.Td key={locale}>
                            <Stack gap={4}>
                              {kin
                                .filter(template => template.locale === locale)
                                .map(template => (
                                  <Group key={template.id} gap="xs" wrap="nowrap">
                                    <Anchor component="button" type="button" size="sm" ta="left" onClick={() => open(template)}>
                                      {template.name}
                                    </Anchor>
                                    {template.active ? null : <StateBadge tone="quiet">{t('Off')}</StateBadge>}
                                  </Group>
                                ))}
                              {kin.some(template => template.locale === locale) ? null : (
                                <Text size="sm" c="dimmed">
                                  {t('none')}
                                </Text>
                              )}
                            </Stack>
                          </Table.Td>
                        ))}
                      </Table.Tr>
                    ) : null
                  })}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </Stack>
        )
      }
    </QueryState>
  )
}
