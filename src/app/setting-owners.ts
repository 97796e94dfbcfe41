/** Settings that features store themselves, and whose changes can be set back. */
import { boxList, boxRuleList } from '#features/catalog/crates/crates-history.server.ts'
import { productLinkList } from '#features/catalog/product-links/product-links-history.server.ts'
import { announcementList } from '#features/company/announcements/announcements-history.server.ts'
import { listOwner } from '#features/company/companies/setting-lists.server.ts'
import { orderOwner } from '#features/company/companies/setting-orders.server.ts'
import type { SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { customsNumberList } from '#features/company/customs-numbers/customs-numbers-history.server.ts'
import { manualRateList } from '#features/company/exchange-rates/exchange-rates-history.server.ts'
import { groupList } from '#features/company/groups/groups-history.server.ts'
import { tagList } from '#features/company/tags/tags-history.server.ts'
import { mailAccountOwner } from '#features/deliveries/mail/mail.server.ts'
import { smsAccountOwner } from '#features/deliveries/sms/sms.server.ts'
import { webhooksOwner } from '#features/deliveries/webhooks/webhooks.server.ts'
import { alarmSettingsOwner } from '#features/insight/deadline-board/deadline-alarms.commands.ts'
import { messageSettingsOwner } from '#features/messages/messages/messages.commands.ts'
import { templateList } from '#features/messages/templates/templates-history.server.ts'
import { additionalProductList } from '#features/orders/additional-products/additional-products-history.server.ts'
import { closedDayList, deadlineList } from '#features/orders/deadlines/deadlines-history.server.ts'
import { orderAlertsOwner } from '#features/orders/order-alerts/order-alerts.commands.ts'
import { alertList } from '#features/orders/order-alerts/order-alerts-history.server.ts'
import { tagRuleList } from '#features/orders/tag-rules/tag-rules-history.server.ts'
import { approvalRuleList } from '#features/packing/approval/approval-history.server.ts'
import { serialRuleList } from '#features/packing/serial-numbers/serial-numbers-history.server.ts'
import { paySettingsOwner } from '#features/people/salary/salary.commands.ts'
import { printerAlertsOwner } from '#features/printing/printer-alerts/printer-alerts.commands.ts'
import { printerSettingList } from '#features/printing/printers/printers-history.server.ts'
import { stationPrintersOwner } from '#features/printing/station-printers/station-printers-history.server.ts'
import { offerOwner } from '#features/returns/portal/portal.commands.ts'
import { returnReasonList, returnReasonOrder } from '#features/returns/returns/return-reasons-history.server.ts'
import { portalTextsOwner } from '#features/returns/rma-languages/rma-languages.commands.ts'
import { addressList } from '#features/shipping/address-book/address-book-history.server.ts'
import { campaignList } from '#features/shipping/campaigns/campaigns-history.server.ts'
import { replacementOwner } from '#features/shipping/parcel-shops/parcel-shops.server.ts'
import { priceList, surchargeList, zoneList } from '#features/shipping/prices/prices-history.server.ts'
import { methodRuleList, methodRuleOrder } from '#features/shipping/shipping-methods/method-rules-history.server.ts'
import { wagonTypeList } from '#features/warehouse/pick-lists/wagon-types-history.server.ts'

const lists: readonly SettingOwner[] = [
  ...[listOwner(tagList), listOwner(tagRuleList), listOwner(boxList), listOwner(boxRuleList), listOwner(addressList)],
  ...[listOwner(additionalProductList), listOwner(alertList), listOwner(productLinkList), listOwner(approvalRuleList)],
  ...[
    listOwner(methodRuleList),
    listOwner(customsNumberList),
    listOwner(serialRuleList),
    listOwner(deadlineList),
    listOwner(closedDayList),
  ],
  ...[listOwner(templateList), listOwner(returnReasonList), orderOwner(returnReasonOrder), orderOwner(methodRuleOrder)],
  ...[listOwner(priceList), listOwner(zoneList), listOwner(surchargeList), listOwner(manualRateList)],
  ...[listOwner(wagonTypeList), listOwner(printerSettingList), listOwner(groupList), listOwner(announcementList), listOwner(campaignList)],
]

export const settingOwners: readonly SettingOwner[] = [
  ...[alarmSettingsOwner, offerOwner, portalTextsOwner, webhooksOwner, mailAccountOwner, smsAccountOwner],
  ...[messageSettingsOwner, printerAlertsOwner, orderAlertsOwner, replacementOwner, paySettingsOwner, stationPrintersOwner],
  ...lists,
]
