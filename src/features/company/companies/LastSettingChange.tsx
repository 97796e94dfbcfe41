/** Under the title of a settings page: who changed it last, from what to what, and the way back. */

import { Button, Group, Text } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { settingReaders } from '#contract/settings-access.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { instant } from '#ui/kit/format.ts'
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

export function LastChangeOf({ path }: { path: string }) {
  const t = useT()
  const reads = useIsAllowed(settingReaders)
  const known = settingsByPage.some(page => page.path === path)
  const answer = useCall(settingChanges.list, { path, limit: 1 }, { enabled: known && reads, live: ['company'] })
  const setBack = useSetBack()
  const saved = useNothingOpen()
  const last = known && reads ? answer.data?.rows[0] : undefined
  if (!last) return null
  return (
    <Group gap="xs" component="span">
      <Text span inherit>
        {t('{{field}} changed from {{before}} to {{after}} by {{name}}, {{time}}', {
          field: settingLabel(last),
          before: settingValue(last.name, last.before),
          after: settingValue(last.name, last.after),
          name: last.changed_by,
          time: instant(last.at),
        })}
      </Text>
      {last.can_set_back ? (
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
