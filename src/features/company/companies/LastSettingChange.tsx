/** Under the title of a settings page: who changed it last, from what to what, and the way back. Several fields saved at once have one line. */

import { Button, Group, Text } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { settingReaders } from '#contract/settings-access.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { instant, list } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useNothingOpen } from '#ui/query/app-config.ts'
import { useCall } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { useSetBack } from './set-back.client.ts'
import { settingChanges } from './setting-changes.contract.ts'
import { settingsByPage } from './setting-fields.rules.ts'
import { settingLabel, settingValue } from './setting-values.client.ts'

export function LastSettingChange() {
  const path = useRouterState({ select: state => (state.resolvedLocation ?? state.location).pathname })
  return <LastChangeOf path={path} />
}

/** Changes that are read, to find those that were saved together. */
const read = 50
/** Fields that the line names; it counts more. */
const named = 3

export function LastChangeOf({ path }: { path: string }) {
  const t = useT()
  const reads = useIsAllowed(settingReaders)
  const known = settingsByPage.some(page => page.path === path)
  const answer = useCall(settingChanges.list, { path, limit: read }, { enabled: known && reads, live: ['company'] })
  const setBack = useSetBack()
  const saved = useNothingOpen()
  const rows = known && reads ? (answer.data?.rows ?? []) : []
  const last = rows[0]
  if (!last) return null
  // One save has one time.
  const together = rows.filter(row => row.at === last.at && row.changed_by === last.changed_by)
  const fields = [...new Set(together.map(settingLabel))]
  const by = { name: last.changed_by, time: instant(last.at) }
  return (
    <Group gap="xs" component="span">
      <Text span inherit>
        {together.length === 1
          ? t('“{{field}}” changed from {{before}} to {{after}} by {{name}}, {{time}}', {
              field: settingLabel(last),
              before: settingValue(last.name, last.before),
              after: settingValue(last.name, last.after),
              ...by,
            })
          : fields.length <= named
            ? t('{{fields}} changed by {{name}}, {{time}}', { fields: list(fields), ...by })
            : t('{{count}} settings changed by {{name}}, {{time}}', { count: fields.length, ...by })}
      </Text>
      {together.length === 1 && last.can_set_back ? (
        <Button
          size="compact-xs"
          variant="subtle"
          {...disabledBecause(!saved && t('Save or discard what you changed here first.'))}
          loading={setBack.isPending}
          onClick={() => setBack.mutate({ id: last.id })}
        >
          {t('Set back')}
        </Button>
      ) : null}
      <Link to="/settings/changes" search={{ path }}>
        {t('History')}
      </Link>
    </Group>
  )
}
