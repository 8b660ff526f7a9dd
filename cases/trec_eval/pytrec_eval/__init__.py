"""trec_eval as pytrec_eval-terrier has it built in."""
