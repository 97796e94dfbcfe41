/** The calls of the specification that the product has, in the specification's own words: method and path. */

/** What is mounted beyond this list is declared `own`. */
export const specified: readonly string[] = `
POST session
GET session
DELETE session

GET res/init
GET res/client/public_ip
GET res/server_time
GET res/today_api_secret

GET company/check_company
GET company/webhooks
POST company/webhooks
DELETE company/webhooks

GET user
GET user/{id}
GET user/query/{q}
GET user/next_employee_no
GET user/export
POST user
PUT user/{id}
DELETE user/{id}
GET user/img/{id}
POST user/img/{id}
DELETE user/img/{id}
GET user/my_data
GET user/my_setting/data
POST user/my_setting/data

GET company/config
POST company/config
DELETE company/config
GET company/settings
POST company/settings
DELETE company/settings
GET company/data
POST company/data
POST company/upload/img/company_logo
GET company/data/footer/incoice/{locale}
POST company/data/footer/incoice/{locale}
GET company/cms_link
POST company/cms_link
GET company/homepage
POST company/homepage
GET company/homepage/{locale}
POST company/homepage/{locale}
GET company/home_county
POST company/home_county
DELETE company/home_county

GET dvr/authorization
POST dvr/authorization
DELETE dvr/authorization
POST dvr/api/create/order/{order_overview_id}
GET dvr/video_list/order/{id}
GET dvr/video/{id}

GET cms/authorization
POST cms/authorization
DELETE cms/authorization

GET company/api_keys
POST company/api_keys

GET orders/search/
GET orders/count
GET orders/count/language
GET orders/count/language/for/{x}
GET orders/count/{x}
GET orders/paperless/{id}
GET orders/{id}
POST orders/{id}/set_state/{state}
POST orders/set_state_bulk/{state}
POST orders/{order_id}/shipping_address
POST orders/print/{id}/on/{printer}
POST orders/download/{id}
GET orders/cms/status_histories/{id}
POST orders/cms/status_histories/{id}
GET orders/has_google_maps_api_key

POST order_pinned/pin/{id}
POST order_pinned/unpin/{id}

GET order_shipping_description/option
POST order_shipping_description/set/{method}/on/{id}

POST bypass_used_in_packing

POST order_tarif/set/item/{item_id}/to/{tariff}

POST order_country_of_origin/set/item/{item_id}/to/{country_id}

POST order_weight/set/{kg}/on/{type}/{id}

GET order_lock/{id}
POST order_lock/{id}
DELETE order_lock/{id}
GET order_lock/auto/{id}
POST order_lock/auto/{id}
DELETE order_lock/auto/{id}

GET order_comments/{ids}
POST order_comments/{id}/{type}

GET packing/order/{id}
POST packing/order/{id}/bypass_barcode_check
POST packing/order_start/{id}
POST packing/order/{id}/close
GET packing/check_tracking_and_trace/{order_overview_id}/{barcode}
POST packing/order_print/{id}/on/{printer}/from/{station}
GET packing/require_password_pin

GET order_product_require_password/pin
POST order_product_require_password/pin
DELETE order_product_require_password/pin
GET order_product_require_password/rule/list/
GET order_product_require_password/rule/{id}
POST order_product_require_password/rule
DELETE order_product_require_password/rule/{id}

GET company/product_unique_identifier
POST company/product_unique_identifier/{code}/{property}/{value}
POST product_unique_identifier/add/{identifier}/to/{order_item_id}
GET product_unique_identifier/checks
POST product_unique_identifier/update/{regex}/with/{barcode}
DELETE product_unique_identifier/delete/{id}
GET product_unique_identifier/search/{q}
GET product_unique_identifier/list

POST label_generator/return/{order_id}/using/{agent_code}/on/{operation_code}/from/{packing_station}

POST orders/print_shipping_label/{order_id}/on/{printer_id}/from/{packing_station}
GET orders/download_shipping_label/{order_id}/from/{packing_station}

GET label_status/order/{ids*}
GET label_status/{ids}

DELETE label_cancel/{agent_code}/{barcode}

GET label_generator/setup
GET label_generator/template/{parts}
POST label_generator/create/{agent_code}/using/{shipping_method}/{operation_code}
GET label_generator/log/search/
GET label_generator/log/{id}
GET label_generator/log/create_args/{id}
GET label_generator/log/download/pdf/{id}
GET label_generator/log/print/pdf/{shipment_id}/on/{printer_id}

GET shipping_handling_information/list/
GET shipping_handling_information/get/{agent_code}/{method}
POST shipping_handling_information/set/{agent_code}/{type}/{method}
POST shipping_handling_information/set_active/{active}/{agent_code}/{method}
POST shipping_handling_information/set_check_tracking_and_trace/{toggle}/{courier}/{method}
POST shipping_handling_information/attribute/set_active/{active}/{agent_code}/{method}/{attribute}
POST shipping_handling_information/attribute/update/{agent_code}/{method}/{attribute}
DELETE shipping_handling_information/delete/{agent_code}/{method}
GET shipping_handling_information/get_create_img/{agent_code}/{method}
POST shipping_handling_information/set_create_img/{agent_code}/{method}
DELETE shipping_handling_information/delete_create_img/{agent_code}/{method}
POST shipping_handling_information/set_default_create_img
DELETE shipping_handling_information/delete_default_create_img

GET customer/get/{id}
GET customer/orders/for/{id}
GET customer/search/
GET customer/find/{check_type}/{check_value}
POST customer/create
POST customer/update/{id}
POST customer/lookup/add/{id}
POST customer/add_note/{id}
DELETE customer/lookup/{id}
DELETE customer/delete/{id}

GET order_product_additional/list/
GET order_product_additional/get/{id}
GET order_product_additional/img/{id}
POST order_product_additional/create
POST order_product_additional/update/{id}
DELETE order_product_additional/delete/{id}

GET shipping_crate/rule/list/
GET shipping_crate/rule/list/opt
POST shipping_crate/rule/set/{id}/for/{sku}
DELETE shipping_crate/rule/remove/{id}
GET shipping_crate/type/list/
GET shipping_crate/type/get/{id}
GET shipping_crate/type/img/{id}
POST shipping_crate/type/create
POST shipping_crate/type/update/{id}
DELETE shipping_crate/type/delete/{id}

GET res/parcel_shop/{agent_code}
POST res/parcel_shop/{agent_code}

GET label_generator/has_res_parcel_conf
GET parcel_shops/zipcodes/{country}
GET label_generator/support/bring/customer_numbers
GET label_generator/support/burd/zipcodes_availability
POST label_generator/support/instabox/availability

GET label_generator/predefined_address
POST label_generator/predefined_address
GET label_generator/predefined_address/{id}
POST label_generator/predefined_address/{id}
DELETE label_generator/predefined_address/{id}

GET parcel_shops/find/{agent_code}/from/{country}

GET picklist/search/list/
GET picklist/search/order
POST picklist/preview
POST picklist
POST picklist/print/{id}/on/{printer}
POST picklist/print_overview/{id}/on/{printer}
GET picklist/config
GET picklist/download/{id}
GET picklist/download_overview/{id}
GET picklist/{id}
GET picklist/count/available_orders/{x}

GET print_node/printers/list
GET print_node/printers/{id}/details
POST print_node/test_print

GET picklist/active_warehouse_map

POST picklist/release_paperless_codes/{x}/wagon/{y}
GET paperless/mapping
GET paperless/mapping/{id}
POST paperless/code/preview
POST paperless/code/create/download
POST paperless/code/create/on/{printer_id}

GET warehouse/map/search/
GET warehouse/map/get/{id}
POST warehouse/map/create
POST warehouse/map/update/{id}
POST warehouse/map/calc/{id}
DELETE warehouse/map/delete/{id}
GET warehouse/map/result/search/
GET warehouse/map/result/{id}
POST warehouse/map/result/set_active/{id}
DELETE warehouse/map/result/{id}
GET warehouse_map_draw/get_link/picklist/{id}/wagon/{wagon}/using/active
GET warehouse_map_draw/link/products

GET statistics/pick_list/from/{start}/to/{end}
GET statistics/pick_list/cache/{id}
GET statistics/pick_list/{pick_list}/breaks/wagon/{wagon}
GET statistics/pack_list/from/{start}/to/{end}
GET statistics/pay_list/from/{start}/to/{end}

GET courier_events/settings/get/{agent_code}
POST courier_events/settings/set/{agent_code}

GET alert_order/search/
GET alert_order/get/{email}
POST alert_order/update/{id}
POST alert_order/enable/{id}
POST alert_order/disable/{id}
DELETE alert_order/delete/{id}
GET alert/settings/get
POST alert/settings/set

GET campaign_on_tracking/campaign/search/
GET campaign_on_tracking/get/{id}
GET campaign_on_tracking/img/{parts}
GET campaign_on_tracking/frontend/{id}
POST campaign_on_tracking/create
POST campaign_on_tracking/update/{id}
POST campaign_on_tracking/delete/{id}
POST campaign_on_tracking/update/{id}/status/{active}

POST rma/{language}/enable
POST rma/{language}/disable
GET rma/{language}/img/{target}
POST rma/{language}/img/{target}

GET product_link/list
POST product_link/create
POST product_link/update/{id}
POST product_link/delete/{id}

GET eula/list/
GET eula/get/{id}
GET eula/get_eula
POST eula/create
POST eula/update/{id}
POST eula/agree_with/{id}
DELETE eula/delete/{id}

GET shipment_list/list/
GET shipment_list/list/{id}
GET shipment_list/count/{x}
POST shipment_list/list
POST shipment_list/list/print/{id}/on/{printer}
GET shipment_list/list/pdf/download/{id}

GET order_sms/template/list
GET order_sms/template/{id}
POST order_sms/template
POST order_sms/template/{id}
DELETE order_sms/template/{id}
POST order_sms/sms/preview/{index}
POST order_sms/sms
GET order_sms/order/list/
GET order_sms/order/list/by/ids
GET sms/list_order/{id}
GET sms/account_balance
GET sms/groups/
GET sms/group/{id}
GET res_user_group/list/res_user_group
GET res_user_group/list/res_users
GET res_user_group/get/{id}
POST res_user_group/create/{name}
POST res_user_group/update/{id}/set_name/{name}
POST res_user_group/update/{id}/add_user/{user_id}
POST res_user_group/update/{id}/remove_user/{user_id}
DELETE res_user_group/delete/{id}
POST punch_clock/punch_in
POST punch_clock/punch_out/{x}
GET punch_clock/current
GET punch_clock/last
GET punch_clock/validate/check
POST punch_clock/validate/{id}
POST punch_clock/delete/{id}
GET dashboard/punch_clock
GET report/work_done/to_day
GET punch_clock/not_punch_out
GET punch_clock/search/{q}
POST punch_clock/set_punch_type/{id}/{type}
POST punch_clock/update/{id}
GET report/work_done/from/{start}/to/{end}
GET punch_clock/interval/{start}/to/{end}

POST schedule
PUT schedule/{id}
DELETE schedule/{id}
GET schedule/{user_id}/from/{start}/to/{end}
GET schedule/future
GET schedule/needs_to_be_approved

GET deadlines/dashboard_token
POST deadlines/dashboard_token
DELETE deadlines/dashboard_token
GET deadlines/dashboard_data/internal
GET deadlines/list/
POST deadlines/create
DELETE deadlines/delete/{id}

GET invoicing/parcel/list
GET invoicing/parcel/{courier}/{country}/orders
GET invoicing/parcel_count/for/{country}
GET invoicing/parcel_count/carrier/{courier}/for/{country}
GET invoicing/parcel/{id}
POST invoicing/parcel/{courier}/{country}/new
POST invoicing/print/{invoice_id}/on/{printer_id}
GET invoicing/download/{id}
POST orders/{id}/enqueue_for_invoice
POST orders/{id}/set_skip_product_for_bulk_invoicing/{skip}

GET bulk_invoicing_conf/list
GET bulk_invoicing_conf/get/{id}
POST bulk_invoicing_conf/set_active/{config_id}/{active}
POST bulk_invoicing_conf/send_to/{config_id}
POST bulk_invoicing_conf/create/{agent_code}/in/{country_id}
POST bulk_invoicing_conf/update/{config_id}
POST bulk_invoicing_conf/copy/{config_id}/to/{agent_code}/in/{country_id}
`
  .split('\n')
  .filter(Boolean)
