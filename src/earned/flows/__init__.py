"""One public function for each command: the only place where rooms meet. Imported late by the command line."""
