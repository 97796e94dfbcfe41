/** Settings that features store themselves, and whose changes can be set back. */
import type { SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { mailAccountOwner } from '#features/deliveries/mail/mail.server.ts'
import { smsAccountOwner } from '#features/deliveries/sms/sms.server.ts'
import { webhooksOwner } from '#features/deliveries/webhooks/webhooks.server.ts'
import { alarmSettingsOwner } from '#features/insight/deadline-board/deadline-alarms.commands.ts'
import { messageSettingsOwner } from '#features/messages/messages/messages.commands.ts'
import { orderAlertsOwner } from '#features/orders/order-alerts/order-alerts.commands.ts'
import { paySettingsOwner } from '#features/people/salary/salary.commands.ts'
import { printerAlertsOwner } from '#features/printing/printer-alerts/printer-alerts.commands.ts'
import { offerOwner } from '#features/returns/portal/portal.commands.ts'
import { portalTextsOwner } from '#features/returns/rma-languages/rma-languages.commands.ts'
import { replacementOwner } from '#features/shipping/parcel-shops/parcel-shops.server.ts'

export const settingOwners: readonly SettingOwner[] = [
  ...[alarmSettingsOwner, offerOwner, portalTextsOwner, webhooksOwner, mailAccountOwner, smsAccountOwner],
  ...[messageSettingsOwner, printerAlertsOwner, orderAlertsOwner, replacementOwner, paySettingsOwner],
]
