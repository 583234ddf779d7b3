"""What the back-office shows: of routes and codes (`faces`), of one mail (`mails`), of one task (`tasks`), at the start (`start`)."""
