/** A user's permissions in one line: the areas by name, the ones with admin level in bold. */
import { Text } from '@mantine/core'
import { Fragment } from 'react'
import { permissionCode } from '#contract/access.ts'
import { useT } from '#ui/kit/translate.ts'
import { areas } from './permissions.labels.ts'

export function RightsWords({ of }: { of: readonly number[] }) {
  const t = useT()
  const held = of.map(permissionCode)
  if (held.includes('admin'))
    return (
      <Text size="sm" fw={600}>
        {t('Everything')}
      </Text>
    )
  const words = areas.flatMap(area => {
    const level = area.levels.findLast(one => held.includes(one.code))
    return level ? [{ title: t(area.title), leads: level.code.endsWith('_admin') && area.levels.length > 1, help: t(level.help) }] : []
  })
  if (words.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('None yet')}
      </Text>
    )
  return (
    <Text size="sm" truncate title={words.map(word => `${word.title}: ${word.help}`).join('\n')}>
      {words.map((word, place) => (
        <Fragment key={word.title}>
          {place > 0 ? ', ' : ''}
          {word.leads ? <b>{word.title}</b> : word.title}
        </Fragment>
      ))}
    </Text>
  )
}
