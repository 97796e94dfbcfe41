/** Settings that features store themselves, and whose changes can be set back. */
import type { SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { webhooksOwner } from '#features/deliveries/webhooks/webhooks.server.ts'
import { alarmSettingsOwner } from '#features/insight/deadline-board/deadline-alarms.commands.ts'
import { offerOwner } from '#features/returns/portal/portal.commands.ts'
import { portalTextsOwner } from '#features/returns/rma-languages/rma-languages.commands.ts'

export const settingOwners: readonly SettingOwner[] = [alarmSettingsOwner, offerOwner, portalTextsOwner, webhooksOwner]
