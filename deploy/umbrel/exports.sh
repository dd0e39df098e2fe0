# Umbrel has no form for apps. The owner changes this address on the page after the first sign-in.
export APP_STILLUP_OWNER_EMAIL="owner@${DEVICE_DOMAIN_NAME}"
